import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { webApi } from '@slack/bolt';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { createSlackSandbox } from '../../src/slack-sandbox.ts';
import { fullManifest, type Sandbox, startSandbox, tokens } from '../harness.ts';

const run = promisify(execFile);

const frame = z.looseObject({ type: z.string(), envelope_id: z.string().default('') });

interface Connection {
  readonly socket: WebSocket;
  readonly frames: z.infer<typeof frame>[];
  ack(index: number, payload?: object): void;
}

async function open(sandbox: Sandbox): Promise<string> {
  const { url } = await sandbox.client(tokens.app).apps.connections.open({});
  return url ?? '';
}

async function connect(sandbox: Sandbox): Promise<Connection> {
  const socket = new WebSocket(await open(sandbox));
  const frames: z.infer<typeof frame>[] = [];
  socket.on('message', (data) => frames.push(frame.parse(JSON.parse(data.toString()))));
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  await expect.poll(() => frames.length).toBeGreaterThan(0);
  return {
    socket,
    frames,
    ack: (index, payload) =>
      socket.send(JSON.stringify({ envelope_id: frames[index]?.envelope_id, ...(payload && { payload }) })),
  };
}

const slash = (sandbox: Sandbox) =>
  sandbox.post('slash', { user: 'U0ALICE', channel: 'C0OPS', command: '/vps', text: 'list' });
const mention = (sandbox: Sandbox) =>
  sandbox.post('mention', { user: 'U0ALICE', channel: 'C0OPS', text: '@Tester hi' });

describe('a connection', () => {
  test('starts with hello, which counts connections', async () => {
    const sandbox = await startSandbox();
    const first = await connect(sandbox);
    const second = await connect(sandbox);
    expect(first.frames).toMatchObject([
      { type: 'hello', num_connections: 1, debug_info: { approximate_connection_time: 3600 } },
    ]);
    expect(second.frames).toMatchObject([{ type: 'hello', num_connections: 2 }]);
  });

  test('needs a ticket that can be used once, within 30 seconds', async () => {
    const sandbox = await startSandbox();
    const url = await open(sandbox);
    const stale = await open(sandbox);
    const first = new WebSocket(url);
    onTestFinished(() => first.terminate());
    await once(first, 'open');
    const refused = async (address: string) => {
      const [error] = await once(new WebSocket(address), 'error');
      return String(error);
    };
    expect(await refused(url)).toContain('403');
    await sandbox.advance(30_001);
    expect(await refused(stale)).toContain('403');
  });

  test('can be opened only with the app-level token', async () => {
    const sandbox = await startSandbox();
    const opened = sandbox.client(tokens.acme).apps.connections.open({});
    await expect(opened).rejects.toThrow('not_allowed_token_type');
  });

  test('is one of at most ten', async () => {
    const sandbox = await startSandbox();
    for (let opened = 0; opened < 10; opened += 1) await connect(sandbox);
    const eleventh = await connect(sandbox);
    expect(eleventh.frames).toMatchObject([{ type: 'disconnect', reason: 'too_many_websockets' }]);
  });

  test('is warned after an hour, asked to disconnect ten seconds later, and closed another ten seconds later', async () => {
    const sandbox = await startSandbox();
    const { socket, frames } = await connect(sandbox);
    await sandbox.advance(3_590_000);
    await expect.poll(() => frames.at(-1)).toMatchObject({ type: 'disconnect', reason: 'warning' });
    await sandbox.advance(10_000);
    await expect.poll(() => frames.at(-1)).toMatchObject({ type: 'disconnect', reason: 'refresh_requested' });
    const closed = once(socket, 'close');
    await sandbox.advance(10_000);
    await closed;
  });

  test('is renewed in turn, so that an app with several always has one however far time is advanced', async () => {
    const sandbox = await startSandbox();
    const first = await connect(sandbox);
    const second = await connect(sandbox);
    second.socket.on('message', () => second.ack(second.frames.length - 1));
    const closed = once(first.socket, 'close');
    await sandbox.advance(24 * 3_600_000);
    await closed;
    expect(first.frames).toMatchObject([
      { type: 'hello' },
      { type: 'disconnect', reason: 'warning' },
      { type: 'disconnect', reason: 'refresh_requested' },
    ]);
    expect(await slash(sandbox)).toMatchObject({ acknowledged: true });
    expect(second.frames.map(({ type }) => type)).toEqual(['hello', 'slash_commands']);
    await connect(sandbox);
    await expect.poll(() => second.frames.at(-1)).toMatchObject({ type: 'disconnect', reason: 'warning' });
  });

  test('gets link_disabled if payloads are delivered over HTTP', async () => {
    const sandbox = await startSandbox({ delivery: 'http:http://127.0.0.1:9/' });
    const { frames } = await connect(sandbox);
    expect(frames).toMatchObject([{ type: 'disconnect', reason: 'link_disabled' }]);
  });

  test('is pinged every ten seconds, and its own pings get a response', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const sandbox = await startSandbox();
    const { socket } = await connect(sandbox);
    const pinged = once(socket, 'ping');
    vi.advanceTimersByTime(10_000);
    await pinged;
    await heard(socket);
  });
});

describe('an envelope', () => {
  test('is sent to exactly one connection, in rotation', async () => {
    const sandbox = await startSandbox();
    const connections = [await connect(sandbox), await connect(sandbox)];
    for (const { socket, ack, frames } of connections) socket.on('message', () => ack(frames.length - 1));
    for (let sent = 0; sent < 4; sent += 1)
      expect(await slash(sandbox)).toMatchObject({ acknowledged: true });
    expect(connections.map(({ frames }) => frames.length - 1)).toEqual([2, 2]);
  });

  test('of a command accepts a payload, which the person sees', async () => {
    const sandbox = await startSandbox();
    const { frames, ack } = await connect(sandbox);
    const reaction = slash(sandbox);
    await expect
      .poll(() => frames[1])
      .toMatchObject({ type: 'slash_commands', accepts_response_payload: true });
    ack(1, { text: 'Done' });
    expect(await reaction).toMatchObject({ acknowledged: true });
    expect(await sandbox.messages('C0OPS', 'U0ALICE')).toMatchObject([{ text: 'Done', ephemeral: true }]);
  });

  test('that is not acknowledged in 3 seconds fails, and the person sees an error', async () => {
    const sandbox = await startSandbox();
    const { frames, ack } = await connect(sandbox);
    const reaction = slash(sandbox);
    await expect.poll(() => frames).toHaveLength(2);
    await sandbox.advance(3000);
    expect(await reaction).toMatchObject({ acknowledged: false, ack_ms: 3000, error: 'operation_timeout' });
    ack(1, { text: 'Late' });
    expect(await sandbox.messages('C0OPS', 'U0ALICE')).toMatchObject([
      { user: 'USLACKBOT', text: '/vps failed with the error "operation_timeout"', ephemeral: true },
    ]);
  });

  test('fails without a connection', async () => {
    const sandbox = await startSandbox();
    expect(await slash(sandbox)).toMatchObject({ acknowledged: false, error: 'dispatch_failed' });
  });

  test('is not sent to a connection that was asked to disconnect', async () => {
    const sandbox = await startSandbox();
    const first = await connect(sandbox);
    const second = await connect(sandbox);
    second.socket.on('message', () => second.ack(second.frames.length - 1));
    await sandbox.post('faults', { fault: 'disconnect:refresh_requested' });
    for (let sent = 0; sent < 3; sent += 1)
      expect(await slash(sandbox)).toMatchObject({ acknowledged: true });
    expect(first.frames.map(({ type }) => type)).toEqual(['hello', 'disconnect']);
  });
});

describe('an event', () => {
  test('is sent again at once, after one minute and after five, until it is acknowledged', async () => {
    const sandbox = await startSandbox();
    const { frames, ack } = await connect(sandbox);
    const first = mention(sandbox);
    const attempts = () =>
      frames.slice(1).map(({ retry_attempt, retry_reason }) => [retry_attempt, retry_reason]);
    await expect.poll(attempts).toEqual([[0, '']]);
    await sandbox.advance(3000);
    expect(await first).toMatchObject({ acknowledged: false });
    await expect.poll(attempts).toEqual([
      [0, ''],
      [1, 'timeout'],
    ]);
    await sandbox.advance(3000);
    await sandbox.advance(60_000);
    await expect.poll(attempts).toHaveLength(3);
    await sandbox.advance(3000);
    await sandbox.advance(5 * 60_000);
    await expect.poll(attempts).toHaveLength(4);
    expect(new Set(frames.slice(1).map(({ payload }) => eventId(payload))).size).toBe(1);
    expect(new Set(frames.slice(1).map(({ envelope_id }) => envelope_id)).size).toBe(4);
    ack(4);
    await sandbox.advance(3000);
    await sandbox.advance(10 * 60_000);
    expect(frames).toHaveLength(5);
  });

  test('is sent to another connection if its own closes before it is acknowledged', async () => {
    const sandbox = await startSandbox();
    const first = await connect(sandbox);
    const second = await connect(sandbox);
    const said = mention(sandbox);
    await expect.poll(() => first.frames).toHaveLength(2);
    first.socket.terminate();
    await expect.poll(() => second.frames.at(-1)).toMatchObject({ type: 'events_api', retry_attempt: 1 });
    expect(await said).toMatchObject({ acknowledged: false });
  });

  test('is not sent again after a reset', async () => {
    const sandbox = await startSandbox();
    const { frames } = await connect(sandbox);
    const said = mention(sandbox);
    await expect.poll(() => frames).toHaveLength(2);
    await sandbox.post('reset');
    await sandbox.advance(3000);
    await said;
    await sandbox.advance(60_000);
    expect(frames).toHaveLength(2);
  });
});

const eventId = (payload: unknown) => z.object({ event_id: z.string() }).parse(payload).event_id;

describe('faults', () => {
  test('drop_socket breaks the oldest connection', async () => {
    const sandbox = await startSandbox();
    const first = await connect(sandbox);
    const second = await connect(sandbox);
    const closed = once(first.socket, 'close');
    await sandbox.post('faults', { fault: 'drop_socket' });
    expect((await closed)[0]).toBe(1006);
    expect(second.socket.readyState).toBe(WebSocket.OPEN);
  });

  test('duplicate delivers the next payload twice', async () => {
    const sandbox = await startSandbox();
    const { frames, socket, ack } = await connect(sandbox);
    socket.on('message', () => ack(frames.length - 1));
    await sandbox.post('faults', { fault: 'duplicate' });
    await slash(sandbox);
    await expect.poll(() => frames).toHaveLength(3);
    expect(frames[1]?.payload).toEqual(frames[2]?.payload);
    expect(frames[1]?.envelope_id).not.toBe(frames[2]?.envelope_id);
    await slash(sandbox);
    expect(frames).toHaveLength(4);
  });

  test('ack_delay makes an acknowledgement late', async () => {
    const sandbox = await startSandbox();
    const { frames, socket, ack } = await connect(sandbox);
    socket.on('message', () => ack(frames.length - 1, { text: 'Done' }));
    await sandbox.post('faults', { fault: 'ack_delay:2000' });
    const inTime = slash(sandbox);
    await expect.poll(() => frames).toHaveLength(2);
    await heard(socket);
    await sandbox.advance(2000);
    expect(await inTime).toMatchObject({ acknowledged: true, ack_ms: 2000 });
    await sandbox.post('faults', { fault: 'ack_delay:4000' });
    const late = slash(sandbox);
    await expect.poll(() => frames).toHaveLength(3);
    await heard(socket);
    await sandbox.advance(4000);
    expect(await late).toMatchObject({ acknowledged: false, error: 'operation_timeout' });
    expect(await sandbox.messages('C0OPS', 'U0ALICE')).toHaveLength(2);
  });
});

describe('closing the sandbox', () => {
  test('closes a connection with 1001, and breaks it if the app does not answer', async () => {
    const sandbox = await createSlackSandbox({ port: 0, manifest: fullManifest });
    const { apps } = new webApi.WebClient(tokens.app, { slackApiUrl: `${sandbox.url}/api/` });
    const polite = new WebSocket((await apps.connections.open({})).url ?? '');
    const opened = once(polite, 'open');
    const { url = '' } = await apps.connections.open({});
    const headers = {
      ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
      'sec-websocket-key': randomBytes(16).toString('base64'),
    };
    const silent = request(url.replace('ws:', 'http:'), { headers }).end();
    const upgraded = once(silent, 'upgrade');
    await Promise.all([opened, upgraded]);
    const socket = z
      .instanceof(Socket)
      .parse((await upgraded)[1])
      .resume();
    const closed = [once(polite, 'close'), once(socket, 'close')];
    await sandbox.close();
    expect((await closed[0])?.[0]).toBe(1001);
    await closed[1];
  });

  test.each(['app first', 'at once', 'sandbox first'])(
    'lets a process with Bolt 5 end: %s',
    async (order) => {
      const source = `
import { App, LogLevel } from '@slack/bolt';
import { createSlackSandbox } from 'slack-sandbox';
const manifest = { display_information: { name: 'T' }, settings: { socket_mode_enabled: true } };
for (let round = 0; round < 5; round += 1) {
  const sandbox = await createSlackSandbox({ port: 0, manifest });
  const clientOptions = { slackApiUrl: sandbox.url + '/api/' };
  const app = new App({ token: 'xoxb-sandbox-acme', appToken: 'xapp-sandbox', socketMode: true, clientOptions, logLevel: LogLevel.ERROR });
  await app.start();
  ${
    {
      'app first': 'await app.stop(); await sandbox.close();',
      'at once': 'await Promise.all([app.stop(), sandbox.close()]);',
      'sandbox first': 'await sandbox.close(); await app.stop();',
    }[order]
  }
}
console.log(Date.now());
process.on('exit', () => console.log(Date.now()));`;
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', source]);
      const [done = 0, ended = 0] = stdout.split('\n').map(Number);
      expect(ended - done).toBeLessThan(5000);
    },
  );
});

/** Waits until the sandbox has processed what was sent before. It responds in order. */
async function heard(socket: WebSocket): Promise<void> {
  socket.ping();
  await once(socket, 'pong');
}
