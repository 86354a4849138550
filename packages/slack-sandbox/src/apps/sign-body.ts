import { createHmac } from 'node:crypto';

/** Signs a body like Slack does. Returns `x-slack-signature` for a timestamp in seconds. */
export function signBody(signingSecret: string, body: string, timestampSeconds: number): string {
  const digest = createHmac('sha256', signingSecret).update(`v0:${timestampSeconds}:${body}`).digest('hex');
  return `v0=${digest}`;
}
