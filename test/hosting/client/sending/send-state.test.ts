import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { performVpsAction } from '../../../../src/hosting/endpoints/vps.ts';
import {
  advanceUntilSettled,
  catchHostingError,
  createClientHarness,
  peopleCall,
  relaxedLimits,
  startSandboxClientHarness,
  useFakeTime,
} from '../client-harness.ts';
import {
  findClosedPort,
  respond,
  startListening,
  startTestHttpServer,
  startTestSocketServer,
} from '../test-servers.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';

const reboot = { params: { vps_name: 'VPS-10001' }, body: { action: 'reboot' } };

const notSent = { code: 'service_unreachable', failure: { sendState: 'not-sent' } };
const late = { code: 'service_timeout', failure: { sendState: 'unknown' } };

useFakeTime();

describe('a call was certainly not sent', () => {
  /** Returns the error of a change, after all retries in fake time. */
  async function failureAt(url: string, limits = relaxedLimits) {
    const { client } = await createClientHarness(url, { limits });
    return advanceUntilSettled(catchHostingError(client.call(performVpsAction, reboot, peopleCall)));
  }

  test('when nothing listens on the port', async () => {
    expect(await failureAt(`http://127.0.0.1:${await findClosedPort()}`)).toMatchObject(notSent);
  });

  test('when the name of the service does not resolve', async () => {
    // The label is longer than allowed, so that no DNS query is made.
    const host = `${'x'.repeat(64)}.invalid`;
    expect(await failureAt(`http://${host}`)).toMatchObject({
      ...notSent,
      message: `The hosting service at ${host} can't be reached.`,
    });
  });

  test('when the certificate of the service is not trusted, and the error says so', async () => {
    let secured = 0;
    const server = createTlsServer(selfSignedCertificate, () => {
      secured += 1;
    });
    const { port } = await startListening(server);
    expect(await failureAt(`https://127.0.0.1:${port}`)).toMatchObject({
      ...notSent,
      message: `The hosting service at 127.0.0.1:${port} can't be reached (its certificate isn't trusted).`,
    });
    expect(secured).toBe(0);
  });

  test('when the service does not speak TLS', async () => {
    const server = await startTestHttpServer((response) => respond(response, 200));
    expect(await failureAt(server.url.replace('http:', 'https:'))).toMatchObject(notSent);
    expect(server.requests).toEqual([]);
  });

  test('when the service aborts the TLS handshake', async () => {
    const server = await startTestSocketServer((socket) =>
      socket.once('data', () => socket.resetAndDestroy()),
    );
    expect(await failureAt(server.url.replace('http:', 'https:'))).toMatchObject(notSent);
  });

  test('when the connection is not open in time', async () => {
    const server = await startTestSocketServer((socket) => socket.resume());
    const url = server.url.replace('http:', 'https:');
    expect(await failureAt(url, { connectTimeoutMs: 5_000 })).toMatchObject(notSent);
  });
});

describe('the outcome of a call is unknown', () => {
  test('when the response is late', async () => {
    const limits = { ...relaxedLimits, headersTimeoutMs: 15_000 };
    const { client, injectFault, listCalls } = await startSandboxClientHarness({ limits });
    await injectFault({ fault: 'timeout' });
    expect(
      await advanceUntilSettled(catchHostingError(client.call(performVpsAction, reboot, peopleCall))),
    ).toMatchObject(late);
    expect(await listCalls()).toHaveLength(1);
  });

  test('when the body of the response stalls', async () => {
    const server = await startTestHttpServer((response) => response.write('{"success": true,'));
    const limits = { ...relaxedLimits, bodyTimeoutMs: 15_000 };
    const { client } = await createClientHarness(server.url, { limits });
    expect(
      await advanceUntilSettled(catchHostingError(client.call(performVpsAction, reboot, peopleCall))),
    ).toMatchObject(late);
  });
});
