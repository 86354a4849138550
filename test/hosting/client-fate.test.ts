import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { performVpsAction } from '../../src/hosting/endpoints/vps.ts';
import {
  createCalling,
  failureOf,
  patientLimits,
  people,
  settle,
  startCalling,
  useFakeTime,
} from './calling.ts';
import { selfSigned } from './self-signed.ts';
import { findClosedPort, respond, serve, startHttpServer, startSocketServer } from './servers.ts';

const reboot = { params: { vps_name: 'VPS-10001' }, body: { action: 'reboot' } };

const neverLeft = { code: 'service_unreachable', failure: { fate: 'never-left' } };
const late = { code: 'service_timeout', failure: { fate: 'unknown' } };

useFakeTime();

describe('a call surely never left', () => {
  /** Gives what a change fails with there, and passes the time that its repetitions take. */
  async function failureAt(url: string, limits = patientLimits) {
    const { client } = await createCalling(url, { limits });
    return settle(failureOf(client.call(performVpsAction, reboot, people)));
  }

  test('when nothing listens there', async () => {
    expect(await failureAt(`http://127.0.0.1:${await findClosedPort()}`)).toMatchObject(neverLeft);
  });

  test('when the name of the service does not resolve', async () => {
    // No name may have so long a part, so no name server is asked.
    const host = `${'x'.repeat(64)}.invalid`;
    expect(await failureAt(`http://${host}`)).toMatchObject({
      ...neverLeft,
      message: `The hosting service at ${host} cannot be reached.`,
    });
  });

  test('when the certificate of the service is not trusted, and the error says so', async () => {
    let secured = 0;
    const server = createTlsServer(selfSigned, () => {
      secured += 1;
    });
    const { port } = await serve(server);
    expect(await failureAt(`https://127.0.0.1:${port}`)).toMatchObject({
      ...neverLeft,
      message: `The hosting service at 127.0.0.1:${port} cannot be reached (its certificate is not trusted).`,
    });
    expect(secured).toBe(0);
  });

  test('when the service does not speak TLS', async () => {
    const server = await startHttpServer((response) => respond(response, 200));
    expect(await failureAt(server.url.replace('http:', 'https:'))).toMatchObject(neverLeft);
    expect(server.seen).toEqual([]);
  });

  test('when the service breaks off the TLS handshake', async () => {
    const server = await startSocketServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await failureAt(server.url.replace('http:', 'https:'))).toMatchObject(neverLeft);
  });

  test('when no connection stands in time', async () => {
    const server = await startSocketServer((socket) => socket.resume());
    const url = server.url.replace('http:', 'https:');
    expect(await failureAt(url, { connectTimeoutMs: 5_000 })).toMatchObject(neverLeft);
  });
});

describe('it is not known what became of a call', () => {
  test('when it is not answered in time', async () => {
    const limits = { ...patientLimits, headersTimeoutMs: 15_000 };
    const { client, arm, calls } = await startCalling({ limits });
    await arm({ fault: 'timeout' });
    expect(await settle(failureOf(client.call(performVpsAction, reboot, people)))).toMatchObject(late);
    expect(await calls()).toHaveLength(1);
  });

  test('when its answer stands still in its body', async () => {
    const server = await startHttpServer((response) => response.write('{"success": true,'));
    const limits = { ...patientLimits, bodyTimeoutMs: 15_000 };
    const { client } = await createCalling(server.url, { limits });
    expect(await settle(failureOf(client.call(performVpsAction, reboot, people)))).toMatchObject(late);
  });
});
