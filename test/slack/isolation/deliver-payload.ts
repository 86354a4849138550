import { createHmac } from 'node:crypto';
import type { StackFixture } from '../stack-fixture.ts';

type Json = Record<string, unknown>;

/** The person who sends a payload. */
export interface Person {
  readonly user: string;
  /** The workspace in which the person acts. */
  readonly team: string;
  /** The workspace to which the person belongs. */
  readonly home: string;
}

/**
 * Delivers an interactive payload to the app over HTTP, signed like Slack does. Returns the
 * response body.
 */
export async function deliverPayload(harness: StackFixture, person: Person, fields: Json): Promise<Json> {
  const payload = {
    user: { id: person.user, team_id: person.home },
    team: { id: person.team, domain: 'somewhere' },
    api_app_id: 'A0SANDBOX',
    is_enterprise_install: false,
    ...fields,
  };
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const digest = createHmac('sha256', 'sandbox-signing-secret')
    .update(`v0:${timestamp}:${body}`)
    .digest('hex');
  const response = await fetch(harness.appUrl, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${digest}`,
    },
  });
  if (!response.ok) throw new Error(`the app answered ${response.status}`);
  const text = await response.text();
  return text === '' ? {} : JSON.parse(text);
}
