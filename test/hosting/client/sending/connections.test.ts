import { describe, expect, onTestFinished, test } from 'vitest';
import { createTransport } from '../../../../src/hosting/client/transport.ts';
import { createSnapshot } from '../../../../src/hosting/endpoints/snapshots.ts';
import { getVps, performVpsAction } from '../../../../src/hosting/endpoints/vps.ts';
import {
  catchHostingError,
  createClientHarness,
  peopleCall,
  startSandboxClientHarness,
} from '../client-harness.ts';
import { respond, startTestHttpServer, startTestSocketServer } from '../test-servers.ts';

const vps = { params: { vps_name: 'VPS-10001' } };
const reboot = { ...vps, body: { action: 'reboot' } };

const lost = { code: 'service_connection_lost', failure: { sendState: 'unknown' } };
const late = { code: 'service_timeout', failure: { sendState: 'unknown' } };

describe('the outcome of a call is unknown', () => {
  test('after a reset before the service read it', async () => {
    const server = await startTestSocketServer((socket) => {
      socket.once('readable', () => socket.resetAndDestroy());
    });
    const { client } = await createClientHarness(server.url);
    expect(await catchHostingError(client.call(performVpsAction, reboot, peopleCall))).toMatchObject(lost);
    expect(server.connections()).toBe(1);
  });

  test.each([false, true])(
    'after a reset when the service had read it, even if it took effect: %j',
    async (applied) => {
      const { client, sandbox, injectFault, listCalls } = await startSandboxClientHarness();
      await injectFault({ fault: 'reset', applied });
      expect(await catchHostingError(client.call(performVpsAction, reboot, peopleCall))).toMatchObject(lost);
      expect(await listCalls()).toMatchObject([{ method: 'POST', status: 0 }]);
      const { body } = await sandbox.call('GET', '/v1/vps/VPS-10001');
      expect(body).toMatchObject({ data: { state: applied ? 'rebooting' : 'running' } });
    },
  );

  test.each([
    ['the connection is closed without an answer', ''],
    ['the answer breaks off in its head', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['the answer breaks off in its body', 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"success": true'],
    ['the answer is not HTTP', 'SSH-2.0-OpenSSH_10.0\r\n'],
  ])('when %s', async (_, answer) => {
    const server = await startTestSocketServer((socket) => socket.once('data', () => socket.end(answer)));
    const { client } = await createClientHarness(server.url);
    expect(await catchHostingError(client.call(performVpsAction, reboot, peopleCall))).toMatchObject(lost);
    expect(server.connections()).toBe(1);
  });

  test('if its response never ends', async () => {
    const server = await startTestHttpServer((response) => {
      const dripping = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(dripping));
    });
    const limits = { bodyTimeoutMs: 5_000, callTimeoutMs: 60 };
    const { client } = await createClientHarness(server.url, { limits });
    expect(await catchHostingError(client.call(performVpsAction, reboot, peopleCall))).toMatchObject(late);
  });

  test('if the quota aborts it, and its connection is closed', async () => {
    const gone = Promise.withResolvers<void>();
    const server = await startTestHttpServer((response) => response.on('close', gone.resolve));
    const { client } = await createClientHarness(server.url, { callTimeoutMs: 40 });
    expect(await catchHostingError(client.call(performVpsAction, reboot, peopleCall))).toMatchObject(late);
    await gone.promise;
    expect(server.requests).toHaveLength(1);
  });
});

test('a process that was frozen while it connected sends nothing when it wakes up', async () => {
  const server = await startTestHttpServer((response) => respond(response, 200, {}));
  const transport = createTransport({ connectTimeoutMs: 40 });
  onTestFinished(transport.close);
  const request = { method: 'POST', url: new URL(server.url), headers: {} } as const;
  const error = catchHostingError(transport.send(request));
  await Promise.resolve();
  // The connection is being opened. Nothing runs in this process until its time is over.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
  expect(await error).toMatchObject({ code: 'service_unreachable', failure: { sendState: 'not-sent' } });
  expect(server.requests).toEqual([]);
});

describe('a response', () => {
  test('is not read to its end if it is too large', async () => {
    const written = Promise.withResolvers<number>();
    const server = await startTestHttpServer((response) => {
      const chunk = Buffer.alloc(65_536, ' ');
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write);
      response.on('close', () => written.resolve(response.socket?.bytesWritten ?? 0));
      write();
    });
    const { client } = await createClientHarness(server.url, { limits: { maxBodyBytes: 200_000 } });
    expect(await catchHostingError(client.call(getVps, vps, peopleCall))).toMatchObject({
      code: 'response_too_large',
    });
    expect(await written.promise).toBeLessThan(50_000_000);
  });
});

describe('connections', () => {
  test('are not reused for calls that change something', async () => {
    const server = await startTestHttpServer((response) => respond(response, 200));
    const { client } = await createClientHarness(server.url);
    for (let count = 0; count < 5; count += 1) await client.call(performVpsAction, reboot, peopleCall);
    expect(server.requests[0]?.headers.connection).toBe('close');
    expect(server.connections()).toBe(5);
  });

  test('closed right after a response lose no change and send none twice', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 16\r\n\r\n{"success":true}';
    const bodies: string[] = [];
    const server = await startTestSocketServer((socket) => {
      socket.on('data', (bytes) => {
        bodies.push(
          ...bytes
            .toString()
            .split('\r\n\r\n')
            .filter((part) => part.startsWith('{')),
        );
        socket.write(answer, () => socket.destroy());
      });
    });
    const { client } = await createClientHarness(server.url);
    const names = Array.from({ length: 60 }, (_, count) => `snapshot-${count}`);
    const take = (name: string) => client.call(createSnapshot, { ...vps, body: { name } }, peopleCall);
    for (const name of names.slice(0, 30)) await take(name);
    await Promise.all(names.slice(30).map(take));
    expect(bodies.toSorted()).toEqual(names.map((name) => JSON.stringify({ name })).toSorted());
    expect(server.connections()).toBe(60);
  });

  test('closed while idle lose no read', async () => {
    const server = await startTestSocketServer((socket) => {
      socket.on('data', () => {
        socket.write(
          'HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 16\r\n\r\n{"success":true}',
        );
        setImmediate(() => socket.destroy());
      });
    });
    const { client } = await createClientHarness(server.url);
    for (let count = 0; count < 20; count += 1) await client.call(getVps, vps, peopleCall);
    expect(server.connections()).toBeGreaterThanOrEqual(20);
  });
});
