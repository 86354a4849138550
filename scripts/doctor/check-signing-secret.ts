import { createHmac } from 'node:crypto';
import type { Config } from '../../src/config.ts';
import { deliveryPath } from '../../src/slack/receivers/receivers.ts';
import { type CheckLine, createLines } from './check-line.ts';

const { ok, warning, error } = createLines('signing secret');
const timeoutMs = 5_000;

/** Sends the running app the request with which Slack checks its URL, signed with SLACK_SIGNING_SECRET. */
export async function* checkSigningSecret({
  slack: { delivery },
  publicUrl,
  server,
}: Config): AsyncGenerator<CheckLine> {
  if (delivery.mode !== 'http') return;
  const base = publicUrl ?? `http://${server.host ?? '127.0.0.1'}:${server.port}`;
  const url = base.replace(/\/+$/, '') + deliveryPath;
  const challenge = 'doctor';
  const body = JSON.stringify({ type: 'url_verification', challenge });
  const timestamp = Math.floor(Date.now() / 1_000);
  const mac = createHmac('sha256', delivery.signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-slack-request-timestamp': String(timestamp),
        'x-slack-signature': `v0=${mac}`,
      },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const isAccepted = response.ok && (await response.text()).includes(challenge);
    yield isAccepted
      ? ok(`The app at ${url} accepts what is signed with SLACK_SIGNING_SECRET.`)
      : error(
          `${url} answered ${response.status}. The running app has another SLACK_SIGNING_SECRET, a wrong clock, or isn't Rackhand.`,
        );
  } catch {
    yield warning(`Nothing answers at ${url}. Start Rackhand and check again. Check PUBLIC_URL if it runs.`);
  }
}
