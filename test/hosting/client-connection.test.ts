import { describe, expect, test } from 'vitest';
import { createSnapshot } from '../../src/hosting/endpoints/snapshots.ts';
import { getVps, performVpsAction } from '../../src/hosting/endpoints/vps.ts';
import { createCalling, failureOf, people, startCalling } from './calling.ts';
import { respond, startHttpServer, startSocketServer } from './servers.ts';

const vps = { params: { vps_name: 'VPS-10001' } };
const reboot = { ...vps, body: { action: 'reboot' } };

const lost = { code: 'service_connection_lost', failure: { fate: 'unknown' } };
const late = { code: 'service_timeout', failure: { fate: 'unknown' } };

describe('it is not known what became of a call', () => {
  test('that was reset before it was read', async () => {
    const server = await startSocketServer((socket) => {
      socket.once('readable', () => socket.resetAndDestroy());
    });
    const { client } = await createCalling(server.url);
    expect(await failureOf(client.call(performVpsAction, reboot, people))).toMatchObject(lost);
    expect(server.connections()).toBe(1);
  });

  test.each([false, true])('that was reset when it had been read; it took effect: %j', async (applied) => {
    const { client, sandbox, arm, calls } = await startCalling();
    await arm({ fault: 'reset', applied });
    expect(await failureOf(client.call(performVpsAction, reboot, people))).toMatchObject(lost);
    expect(await calls()).toMatchObject([{ method: 'POST', status: 0 }]);
    const { body } = await sandbox.call('GET', '/v1/vps/VPS-10001');
    expect(body).toMatchObject({ data: { state: applied ? 'rebooting' : 'running' } });
  });

  test.each([
    ['the connection is closed without an answer', ''],
    ['the answer breaks off in its head', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['the answer breaks off in its body', 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"success": true'],
    ['the answer is not HTTP', 'SSH-2.0-OpenSSH_10.0\r\n'],
  ])('when %s', async (_, answer) => {
    const server = await startSocketServer((socket) => socket.once('data', () => socket.end(answer)));
    const { client } = await createCalling(server.url);
    expect(await failureOf(client.call(performVpsAction, reboot, people))).toMatchObject(lost);
    expect(server.connections()).toBe(1);
  });

  test('whose answer never ends, though it never stands still', async () => {
    const server = await startHttpServer((response) => {
      const dripping = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(dripping));
    });
    const limits = { bodyTimeoutMs: 5_000, callTimeoutMs: 60 };
    const { client } = await createCalling(server.url, { limits });
    expect(await failureOf(client.call(performVpsAction, reboot, people))).toMatchObject(late);
  });

  test('that the quota cuts off, and its connection is given up', async () => {
    const gone = Promise.withResolvers<void>();
    const server = await startHttpServer((response) => response.on('close', gone.resolve));
    const { client } = await createCalling(server.url, { callTimeoutMs: 40 });
    expect(await failureOf(client.call(performVpsAction, reboot, people))).toMatchObject(late);
    await gone.promise;
    expect(server.seen).toHaveLength(1);
  });
});

describe('an answer', () => {
  test('may take its time within the limits', async () => {
    const { client, arm } = await startCalling({ limits: { headersTimeoutMs: 5_000 } });
    await arm({ fault: 'slow:60' });
    expect(await client.call(performVpsAction, reboot, people)).toMatchObject({ state: 'rebooting' });
  });

  test('may come in pieces that part a letter', async () => {
    const bytes = Buffer.from('{"success":true,"data":{"town":"Köln"}}');
    const middle = bytes.indexOf(Buffer.from('ö')) + 1;
    const server = await startSocketServer((socket) =>
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`);
        socket.write(bytes.subarray(0, middle), () => socket.end(bytes.subarray(middle)));
      }),
    );
    const { client } = await createCalling(server.url);
    expect(await client.call(performVpsAction, reboot, people)).toEqual({ town: 'Köln' });
  });

  const sized = (sizeBytes: number) => {
    const [before, after] = ['{"success":true,"data":{"text":"', '"}}'];
    return before + 'x'.repeat(sizeBytes - before.length - after.length) + after;
  };

  test.each(['content-length', 'chunked'])(
    'may be as large as the limit and not a byte larger: %s',
    async (framing) => {
      const maxBodyBytes = 100_000;
      let sizeBytes = maxBodyBytes;
      const server = await startHttpServer((response) => {
        if (framing === 'chunked') response.write(' ');
        response.end(sized(framing === 'chunked' ? sizeBytes - 1 : sizeBytes));
      });
      const { client } = await createCalling(server.url, { limits: { maxBodyBytes } });
      expect(await client.call(createSnapshot, { ...vps, body: { name: 'a' } }, people)).toHaveProperty(
        'text',
      );
      sizeBytes += 1;
      expect(await failureOf(client.call(getVps, vps, people))).toMatchObject({
        code: 'answer_too_large',
        failure: { fate: 'unknown', status: 200 },
      });
      expect(server.seen).toHaveLength(2);
    },
  );

  test('that is huge is not read to its end', async () => {
    const written = Promise.withResolvers<number>();
    const server = await startHttpServer((response) => {
      const chunk = Buffer.alloc(65_536, ' ');
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write);
      response.on('close', () => written.resolve(response.socket?.bytesWritten ?? 0));
      write();
    });
    const { client } = await createCalling(server.url, { limits: { maxBodyBytes: 200_000 } });
    expect(await failureOf(client.call(getVps, vps, people))).toMatchObject({ code: 'answer_too_large' });
    expect(await written.promise).toBeLessThan(50_000_000);
  });
});

describe('connections', () => {
  test('are kept alive for reads', async () => {
    const server = await startHttpServer((response) => respond(response, 200));
    const { client } = await createCalling(server.url);
    for (let count = 0; count < 5; count += 1) await client.call(getVps, vps, people);
    expect(server.seen).toHaveLength(5);
    expect(server.seen[0]?.headers.connection).toBe('keep-alive');
    expect(server.connections()).toBe(1);
  });

  test('serve one call only where it changes something', async () => {
    const server = await startHttpServer((response) => respond(response, 200));
    const { client } = await createCalling(server.url);
    for (let count = 0; count < 5; count += 1) await client.call(performVpsAction, reboot, people);
    expect(server.seen[0]?.headers.connection).toBe('close');
    expect(server.connections()).toBe(5);
  });

  test('that the service closes as soon as it has answered cost no change and send none twice', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 16\r\n\r\n{"success":true}';
    const bodies: string[] = [];
    const server = await startSocketServer((socket) => {
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
    const { client } = await createCalling(server.url);
    const names = Array.from({ length: 60 }, (_, count) => `snapshot-${count}`);
    const take = (name: string) => client.call(createSnapshot, { ...vps, body: { name } }, people);
    for (const name of names.slice(0, 30)) await take(name);
    await Promise.all(names.slice(30).map(take));
    expect(bodies.toSorted()).toEqual(names.map((name) => JSON.stringify({ name })).toSorted());
    expect(server.connections()).toBe(60);
  });

  test('that the service closes while they are idle cost no read', async () => {
    const server = await startSocketServer((socket) => {
      socket.on('data', () => {
        socket.write(
          'HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 16\r\n\r\n{"success":true}',
        );
        setImmediate(() => socket.destroy());
      });
    });
    const { client } = await createCalling(server.url);
    for (let count = 0; count < 20; count += 1) await client.call(getVps, vps, people);
    expect(server.connections()).toBeGreaterThanOrEqual(20);
  });
});
