import { createHmac } from 'node:crypto';
import type { Stage } from './stage.ts';

type Json = Record<string, unknown>;

/** Somebody in whose name a payload is delivered, in a workspace, as Slack would. */
export interface Person {
  readonly user: string;
  /** Workspace in which they act. */
  readonly team: string;
  /** Workspace that they are of. */
  readonly home: string;
}

/** Delivers an interactive payload to the app over HTTP, signed as Slack signs. Gives the app's answer. */
export async function deliver(stage: Stage, person: Person, more: Json): Promise<Json> {
  const payload = {
    user: { id: person.user, team_id: person.home },
    team: { id: person.team, domain: 'somewhere' },
    api_app_id: 'A0SANDBOX',
    is_enterprise_install: false,
    ...more,
  };
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const digest = createHmac('sha256', 'sandbox-signing-secret')
    .update(`v0:${timestamp}:${body}`)
    .digest('hex');
  const response = await fetch(stage.appUrl, {
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
