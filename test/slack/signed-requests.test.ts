import { createHmac } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningStack, startStack } from '../stack.ts';

const minuteS = 60;
const lines: string[] = [];
let running: RunningStack;
beforeEach(async () => {
  lines.length = 0;
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  running = await startStack({ delivery: 'http', log });
});
afterEach(() => running.close());

const nowS = () => Math.floor(Date.now() / 1_000);

function command(text = 'reboot VPS-10001'): string {
  const fields = { command: '/vps', text, team_id: 'T0ACME', user_id: 'U0ALICE', channel_id: 'C0OPS' };
  return new URLSearchParams({ ...fields, trigger_id: 'forged', response_url: '' }).toString();
}

interface Signing {
  readonly timestamp?: number;
  readonly secret?: string;
  readonly signature?: string;
}

function post(
  body: string,
  { timestamp = nowS(), secret = 'sandbox-signing-secret', signature }: Signing = {},
) {
  const ours = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  return fetch(running.appUrl, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': signature ?? ours,
    },
  });
}

async function refused(): Promise<Record<string, number>> {
  const text = await (await fetch(`${running.serverUrl}/metrics`)).text();
  const found = text.matchAll(/^rackhand_slack_refused_total\{reason="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...found].map(([, reason, count]) => [reason, Number(count)]));
}

describe('a request in the name of Slack', () => {
  test.each([
    ['forged', { secret: 'guessed' }],
    ['forged', { signature: 'v0=short' }],
    ['stale', { timestamp: nowS() - 6 * minuteS }],
    ['future', { timestamp: nowS() + 6 * minuteS }],
    ['unsigned', { timestamp: Number.NaN }],
  ])('that is %s is refused, counted, and logged without what it says', async (reason, signing) => {
    expect((await post(command(), signing)).status).toBe(401);
    expect(await refused()).toEqual({ [reason]: 1 });
    expect(lines.filter((line) => line.includes(`"reason":"${reason}"`))).toHaveLength(1);
    expect(lines.join()).not.toContain('reboot');
  });

  test('that has no signature is refused', async () => {
    const response = await fetch(running.appUrl, { method: 'POST', body: command() });
    expect(response.status).toBe(401);
    expect(await refused()).toEqual({ unsigned: 1 });
  });

  test('that is too large is not read to its end', async () => {
    const response = await post('x'.repeat(2 * 1024 * 1024)).catch(() => undefined);
    expect(response?.status ?? 413).toBe(413);
    expect(await refused()).toEqual({ too_large: 1 });
  });

  test('that comes again as it was is refused, and runs nothing', async () => {
    const signing = { timestamp: nowS() };
    expect((await post(command('list'), signing)).status).toBe(200);
    expect((await post(command('list'), signing)).status).toBe(401);
    expect(await refused()).toEqual({ replayed: 1 });
  });

  test('is taken as long as its time is right', async () => {
    for (const offS of [-4 * minuteS, 4 * minuteS]) {
      expect((await post(command('help'), { timestamp: nowS() + offS })).status).toBe(200);
    }
    expect(await refused()).toEqual({});
  });
});
