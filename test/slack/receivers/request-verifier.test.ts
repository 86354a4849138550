import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createRequestVerifier } from '../../../src/slack/receivers/request-verifier.ts';
import { type RunningStack, startStack } from '../../stack.ts';

const minuteS = 60;
const formType = 'application/x-www-form-urlencoded';
const maxBodyBytes = 1024 * 1024;
const lines: string[] = [];
let running: RunningStack;

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
  contentType = formType,
) {
  const ours = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  return fetch(running.appUrl, {
    method: 'POST',
    body,
    headers: {
      'content-type': contentType,
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': signature ?? ours,
    },
  });
}

/** Returns a signed request as the HTTP server would pass it on. */
function sign(body: string, timestamp = nowS(), contentType = formType): IncomingMessage {
  const request = signHalf(body, timestamp, contentType);
  request.push(null);
  return request;
}

/** Returns a request whose end hasn't arrived. */
function signHalf(body: string, timestamp: number, contentType: string): IncomingMessage {
  const digest = createHmac('sha256', 'secret').update(`v0:${timestamp}:${body}`).digest('hex');
  const request = new IncomingMessage(new Socket());
  request.headers = {
    'content-type': contentType,
    'x-slack-request-timestamp': String(timestamp),
    'x-slack-signature': `v0=${digest}`,
  };
  request.push(body);
  return request;
}

async function refused(): Promise<Record<string, number>> {
  const text = await (await fetch(`${running.serverUrl}/metrics`)).text();
  const found = text.matchAll(/^rackhand_slack_refused_total\{reason="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...found].map(([, reason, count]) => [reason, Number(count)]));
}

describe('a request in the name of Slack', () => {
  beforeEach(async () => {
    lines.length = 0;
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
    running = await startStack({ delivery: 'http', log });
  });
  afterEach(() => running.close());

  test.each([
    ['forged', { secret: 'guessed' }],
    ['forged', { signature: 'v0=short' }],
    ['stale', { timestamp: nowS() - 6 * minuteS }],
    ['future', { timestamp: nowS() + 6 * minuteS }],
    ['unsigned', { timestamp: Number.NaN }],
  ])('that is %s is rejected, counted, and logged without its content', async (reason, signing) => {
    expect((await post(command(), signing)).status).toBe(401);
    expect(await refused()).toEqual({ [reason]: 1 });
    expect(lines.filter((line) => line.includes(`"reason":"${reason}"`))).toHaveLength(1);
    expect(lines.join()).not.toContain('reboot');
  });

  test('is rejected when it is replayed, and runs nothing', async () => {
    const signing = { timestamp: nowS() };
    expect((await post(command('list'), signing)).status).toBe(200);
    expect((await post(command('list'), signing)).status).toBe(401);
    expect(await refused()).toEqual({ replayed: 1 });
  });

  test('is rejected before its body is read if its headers are wrong', async () => {
    const { port } = new URL(running.appUrl);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\nhalf a body');
    const [answer] = await once(socket, 'data');
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('the verifier', () => {
  test.each([
    [formType, 'payload={"type":"block_actions","user":{},"actions":[{}]}'],
    [formType, 'payload={"type":"view_submission","user":{},"view":{}}'],
    ['application/json', '{"type":"event_callback","event":{}}'],
    ['application/json; charset=utf-8', '{"type":"url_verification","challenge":"x"}'],
    ['application/json', '{"type":"of a later version"}'],
  ])('accepts a request of type %s with the body %s', async (contentType, body) => {
    const verified = await createRequestVerifier('secret')(sign(body, nowS(), contentType));
    expect(verified).toMatchObject({ kind: 'valid', body: Buffer.from(body) });
  });

  test('accepts a body of 1 MB, and not a byte more', async () => {
    const verify = createRequestVerifier('secret');
    const largest = `a=${'x'.repeat(maxBodyBytes - 2)}`;
    expect((await verify(sign(largest))).kind).toBe('valid');
    expect(await verify(sign(`${largest}x`))).toEqual({ kind: 'invalid', reason: 'too_large' });
  });

  test('rejects the oldest unfinished body if all of them are larger than 16 MB together', async () => {
    const verify = createRequestVerifier('secret');
    const requests = Array.from({ length: 17 }, (_, index) =>
      signHalf(`${index}=`.padEnd(maxBodyBytes, 'x'), nowS(), formType),
    );
    const read = requests.map((request) => once(request, 'data'));
    const verified = requests.map((request) => verify(request));
    await Promise.all(read);
    for (const request of requests) request.push(null);
    const [oldest, ...others] = await Promise.all(verified);
    expect(oldest).toEqual({ kind: 'invalid', reason: 'overloaded' });
    expect(others.map(({ kind }) => kind)).toEqual(others.map(() => 'valid'));
  });

  test.each([
    [64 * 1024, 'valid'],
    [64 * 1024 + 1, 'invalid'],
  ])('a body of %i bytes whose end arrives after 2 s is %s', async (size, kind) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const request = signHalf('a='.padEnd(size, 'x'), nowS(), formType);
    const read = once(request, 'data');
    const verified = createRequestVerifier('secret')(request);
    await read;
    vi.advanceTimersByTime(2_000);
    request.push(null);
    expect(await verified).toMatchObject(kind === 'valid' ? { kind } : { kind, reason: 'too_slow' });
  });

  test.each([-4, 4, 5])(
    'rejects each replay of a request that is dated %i minutes from now',
    async (minutes) => {
      let nowMs = nowS() * 1_000;
      const verify = createRequestVerifier('secret', () => nowMs);
      const timestamp = Math.floor(nowMs / 1_000) + minutes * minuteS;
      expect((await verify(sign(command(), timestamp))).kind).toBe('valid');
      const untilMs = (timestamp + 5 * minuteS) * 1_000;
      for (; nowMs < untilMs; nowMs += 30_000)
        expect(await verify(sign(command(), timestamp))).toEqual({ kind: 'invalid', reason: 'replayed' });
      nowMs = untilMs;
      expect(await verify(sign(command(), timestamp))).toEqual({ kind: 'invalid', reason: 'replayed' });
      nowMs += 1;
      expect(await verify(sign(command(), timestamp))).toEqual({ kind: 'invalid', reason: 'stale' });
    },
  );

  test('accepts a request again if handling it failed', async () => {
    const verify = createRequestVerifier('secret');
    const timestamp = nowS();
    const first = await verify(sign(command(), timestamp));
    if (first.kind === 'valid') first.forget();
    expect((await verify(sign(command(), timestamp))).kind).toBe('valid');
  });
});
