import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRequestVerifier } from '../../../src/slack/receivers/request-verifier.ts';
import { eventually } from '../../eventually.ts';
import { type RunningStack, startStack } from '../../stack.ts';

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
  contentType = 'application/x-www-form-urlencoded',
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
function sign(body: string, timestamp: number): IncomingMessage {
  const digest = createHmac('sha256', 'secret').update(`v0:${timestamp}:${body}`).digest('hex');
  const request = new IncomingMessage(new Socket());
  request.headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': String(timestamp),
    'x-slack-signature': `v0=${digest}`,
  };
  request.push(body);
  request.push(null);
  return request;
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
  ])('that is %s is rejected, counted, and logged without its content', async (reason, signing) => {
    expect((await post(command(), signing)).status).toBe(401);
    expect(await refused()).toEqual({ [reason]: 1 });
    expect(lines.filter((line) => line.includes(`"reason":"${reason}"`))).toHaveLength(1);
    expect(lines.join()).not.toContain('reboot');
  });

  test('is rejected without a signature', async () => {
    const response = await fetch(running.appUrl, { method: 'POST', body: command() });
    expect(response.status).toBe(401);
    expect(await refused()).toEqual({ unsigned: 1 });
  });

  test('is not read to its end if it is too large', async () => {
    const response = await post('x'.repeat(2 * 1024 * 1024)).catch(() => undefined);
    expect(response?.status ?? 413).toBe(413);
    expect(await refused()).toEqual({ too_large: 1 });
  });

  test('is rejected when it is replayed, and runs nothing', async () => {
    const signing = { timestamp: nowS() };
    expect((await post(command('list'), signing)).status).toBe(200);
    expect((await post(command('list'), signing)).status).toBe(401);
    expect(await refused()).toEqual({ replayed: 1 });
  });

  test.each([-4, 4])(
    'dated %i minutes from now is rejected at every replay while it is valid',
    async (minutes) => {
      let nowMs = Date.now();
      const verify = createRequestVerifier('secret', () => nowMs);
      const timestamp = Math.floor(nowMs / 1_000) + minutes * minuteS;
      expect((await verify(sign(command(), timestamp))).kind).toBe('valid');
      for (; nowMs < (timestamp + 5 * minuteS) * 1_000; nowMs += 30_000)
        expect(await verify(sign(command(), timestamp))).toEqual({ kind: 'invalid', reason: 'replayed' });
      nowMs += 1_000;
      expect(await verify(sign(command(), timestamp))).toEqual({ kind: 'invalid', reason: 'stale' });
    },
  );

  test('is accepted again if handling it failed', async () => {
    const verify = createRequestVerifier('secret');
    const timestamp = nowS();
    const first = await verify(sign(command(), timestamp));
    if (first.kind === 'valid') first.forget();
    expect((await verify(sign(command(), timestamp))).kind).toBe('valid');
  });

  test('is accepted while its timestamp is valid', async () => {
    for (const offS of [-4 * minuteS, 4 * minuteS]) {
      expect((await post(command('help'), { timestamp: nowS() + offS })).status).toBe(200);
    }
    expect(await refused()).toEqual({});
  });

  test('is rejected with 400 if its body is malformed, and others are served', async () => {
    const malformed = [
      ['application/json', 'null'],
      ['application/json', '[]'],
      ['application/json', '{"type":'],
      ['application/x-www-form-urlencoded', 'payload=null'],
      ['application/json', '{"type":"event_callback","team_id":"T0ACME","event":null}'],
      ['application/x-www-form-urlencoded', 'payload=%7B'],
      ['application/x-www-form-urlencoded', 'payload={"type":"block_actions","user":{},"actions":null}'],
      ['application/x-www-form-urlencoded', 'payload={"type":"block_actions","user":null,"actions":[{}]}'],
      ['application/x-www-form-urlencoded', 'payload={"type":"view_submission","user":{},"view":null}'],
      ['application/x-www-form-urlencoded', 'payload={}&payload={}'],
      ['application/x-www-form-urlencoded', 'command=/vps&text=help&text=list&team_id=T0ACME'],
    ] as const;
    for (const [index, [contentType, body]] of malformed.entries()) {
      expect((await post(body, {}, contentType)).status, body).toBe(400);
      expect(await refused()).toEqual({ malformed: index + 1 });
      expect((await post(command(`help ${index}`))).status).toBe(200);
    }
  });

  test('is rejected with 415 if its type is not one of Slack', async () => {
    const types = [
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/x-www-form-urlencoded; charset=latin1',
    ];
    for (const [index, contentType] of types.entries()) {
      expect((await post(command('help'), {}, contentType)).status, contentType).toBe(415);
      expect(await refused()).toEqual({ unsupported_type: index + 1 });
    }
  });

  test('is rejected before its body is read if its headers are wrong', async () => {
    const { port } = new URL(running.appUrl);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\nhalf a body');
    const [answer] = await once(socket, 'data');
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('is rejected while half-sent bodies fill the memory for them', async () => {
    const { port } = new URL(running.appUrl);
    const timestamp = nowS();
    const head = `POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\nX-Slack-Signature: v0=0\r\nX-Slack-Request-Timestamp: ${timestamp}\r\n\r\n`;
    const sockets = Array.from({ length: 20 }, () => connect(Number(port), '127.0.0.1'));
    const answers: string[] = [];
    for (const socket of sockets) {
      socket.on('data', (data) => answers.push(String(data).slice(0, 12)));
      socket.on('error', () => undefined);
      socket.write(head);
      socket.write('x'.repeat(1_000_000));
    }
    await eventually(async () => expect(answers).toContain('HTTP/1.1 503'));
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect((await post(command('help'))).status).toBe(200));
  });
});
