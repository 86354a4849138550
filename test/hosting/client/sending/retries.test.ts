import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { setBackupFtp } from '../../../../src/hosting/endpoints/backup-ftp.ts';
import { createSnapshot, deleteSnapshot } from '../../../../src/hosting/endpoints/snapshots.ts';
import { getVps, performVpsAction } from '../../../../src/hosting/endpoints/vps.ts';
import {
  advanceTime,
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

/** A self-signed test certificate for localhost and its key. Valid from 2020 to 2120. */
const selfSignedCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCQ4p1ASGFc4XIjQS
pnH3HoYVcNWz/yFVJTMMGlMI6OyhRANCAAQaBPQPnhusPqZ1+pl4I2/Ns3VxEaS0
4tlqeCjkRb6Kp0+6k6MVO/YAq63HAmoqUiAHKweHNkS29gLjLuf6iAha
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBVTCB/KADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
dDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJ
bG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEGgT0D54brD6mdfqZ
eCNvzbN1cRGktOLZango5EW+iqdPupOjFTv2AKutxwJqKlIgBysHhzZEtvYC4y7n
+ogIWqM9MDswGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMB0GA1UdDgQWBBTG
aTFQUbQeAeUfMLk7yURttBF9xTAKBggqhkjOPQQDAgNIADBFAiEA/ymwVWUi6KIj
1cVHkpEjnw1AFdRIi8oFkcsHbyg22gwCIGQLNnDPQAObQDP0qp+MQLGClV32igdn
I4bPrPi8TYgD
-----END CERTIFICATE-----`,
} as const;

const vps = { params: { vps_name: 'VPS-10001' } };
const reboot = { ...vps, body: { action: 'reboot' } };

useFakeTime();

const start = (options?: Parameters<typeof startSandboxClientHarness>[0]) =>
  startSandboxClientHarness({ limits: relaxedLimits, ...options });

describe('a GET', () => {
  test.each(['status:500', 'status:503', 'html', 'malformed', 'reset'])(
    'is retried after %s, each time in its own slot, until it succeeds',
    async (fault) => {
      const { client, injectFault, listCalls, usage } = await start();
      await injectFault({ fault, times: 2 });
      expect(await advanceUntilSettled(client.call(getVps, vps, peopleCall))).toMatchObject({
        vps_name: 'VPS-10001',
      });
      expect(await listCalls()).toHaveLength(3);
      expect((await usage()).used).toEqual({ people: 3, background: 0 });
    },
  );

  test.each([400, 401, 403, 404, 409, 422, 302])('is not retried after %i', async (status) => {
    const { client, injectFault, listCalls } = await start();
    await injectFault({ fault: `status:${status}` });
    expect(
      (await advanceUntilSettled(catchHostingError(client.call(getVps, vps, peopleCall)))).failure.status,
    ).toBe(status);
    expect(await listCalls()).toHaveLength(1);
  });
});

describe('a call that changes something', () => {
  const changes = [
    { method: 'POST', endpoint: performVpsAction, input: reboot },
    { method: 'PATCH', endpoint: setBackupFtp, input: { ...vps, body: { enabled: false } } },
    { method: 'DELETE', endpoint: deleteSnapshot, input: { params: { ...vps.params, name: 'weekly' } } },
  ];
  const faults = ['status:429', 'status:500', 'status:503', 'html', 'malformed', 'reset'];

  test.each(
    changes.flatMap((change, index) =>
      (index === 0 ? faults : ['reset']).map((fault) => ({ ...change, fault })),
    ),
  )('$method is not repeated after $fault', async ({ endpoint, input, fault }) => {
    const { client, injectFault, listCalls, usage } = await start();
    await injectFault({ fault });
    await advanceUntilSettled(catchHostingError(client.call(endpoint, input, peopleCall)));
    await advanceTime(15_000);
    expect(await listCalls()).toHaveLength(1);
    expect((await usage()).used.people).toBe(1);
  });

  test('is retried if it was certainly not sent, each time in its own slot and after beforeSend', async () => {
    const { client, usage } = await createClientHarness(`http://127.0.0.1:${await findClosedPort()}`);
    let asked = 0;
    const beforeLeaving = async () => {
      asked += 1;
    };
    const call = client.call(performVpsAction, reboot, { ...peopleCall, beforeSend: beforeLeaving });
    expect((await advanceUntilSettled(catchHostingError(call))).failure.sendState).toBe('not-sent');
    expect(asked).toBe(3);
    expect((await usage()).used.people).toBe(3);
  });
});

describe('beforeSend', () => {
  test('runs when the call has its slot, right before sending', async () => {
    const { client, listCalls, usage } = await start({ limit: 1, windowMs: 10_000 });
    const before: unknown[] = [];
    const beforeLeaving = async () => {
      before.push({ atMs: Date.now(), calls: (await listCalls()).length, used: (await usage()).used.people });
    };
    const startedMs = Date.now();
    await advanceUntilSettled(client.call(performVpsAction, reboot, peopleCall));
    await advanceUntilSettled(
      client.call(
        createSnapshot,
        { ...vps, body: { name: 'a' } },
        { ...peopleCall, beforeSend: beforeLeaving },
      ),
    );
    const [, logged] = await listCalls();
    expect(before).toEqual([{ atMs: expect.any(Number), calls: 1, used: 1 }]);
    expect((logged?.at ?? 0) - startedMs).toBeGreaterThanOrEqual(10_000);
  });

  test('prevents the call by a throw, which the caller receives unchanged', async () => {
    const { client, listCalls } = await start();
    const taken = new Error('someone else has taken this run');
    const beforeLeaving = () => Promise.reject(taken);
    const call = client.call(performVpsAction, reboot, { ...peopleCall, beforeSend: beforeLeaving });
    await expect(advanceUntilSettled(call)).rejects.toBe(taken);
    await advanceTime(5_000);
    expect(await listCalls()).toEqual([]);
  });

  test('prevents the call if it takes too long, and the caller learns that nothing was sent', async () => {
    const { client, listCalls } = await start({ callTimeoutMs: 1_000 });
    const saved = Promise.withResolvers<void>();
    const call = client.call(performVpsAction, reboot, { ...peopleCall, beforeSend: () => saved.promise });
    await expect(advanceUntilSettled(call)).rejects.toMatchObject({ code: 'deadline_passed' });
    saved.resolve();
    await advanceTime(2_000);
    expect(await listCalls()).toEqual([]);
  });
});

const limits = relaxedLimits;

/**
 * Returns a client whose first call gets a 429 with that header, and the arrival times of its
 * calls. The clock of the service can be ahead.
 */
async function startServerWithOne429(retryAfter: string | undefined, aheadMs = 0) {
  const arrivalsMs: number[] = [];
  const server = await startTestHttpServer((response) => {
    arrivalsMs.push(Date.now());
    if (arrivalsMs.length > 1) return respond(response, 200);
    const date = new Date(Date.now() + aheadMs).toUTCString();
    respond(response, 429, {}, { date, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) });
  });
  return { arrivalsMs, ...(await createClientHarness(server.url, { limits })) };
}

describe('a 429', () => {
  test('pauses all calls of the key', async () => {
    const { client, injectFault, listCalls, usage } = await startSandboxClientHarness({ limits });
    await injectFault({ fault: 'status:429' });
    const refused = advanceUntilSettled(catchHostingError(client.call(performVpsAction, reboot, peopleCall)));
    expect((await refused).failure.retryAfterMs).toBe(1_000);
    expect((await usage()).wait.people.waitMs).toBeGreaterThan(900);
    const waits: number[] = [];
    const onQueued = (waitMs: number) => waits.push(waitMs);
    await advanceUntilSettled(client.call(getVps, vps, { ...peopleCall, onQueued }));
    const [first = 0, second = 0] = (await listCalls()).map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(1_000);
    expect(waits[0]).toBeGreaterThan(900);
  });

  test.each([
    ['7', 7_000],
    ['0.5', 500],
    ['0', 0],
    [undefined, 10_000],
    ['soon', 10_000],
    ['-5', 0],
  ])('with Retry-After %j is obeyed', async (retryAfter, pauseMs) => {
    const { client, arrivalsMs } = await startServerWithOne429(retryAfter);
    await advanceUntilSettled(client.call(getVps, vps, peopleCall));
    const [first = 0, second = 0] = arrivalsMs;
    expect(second - first).toBeGreaterThanOrEqual(pauseMs);
    expect(second - first).toBeLessThan(pauseMs + 3_000);
  });

  test.each([
    ['', 0],
    [', although the clock of the service is an hour ahead', 3_600_000],
    [', although the clock of the service is an hour behind', -3_600_000],
  ])('can have a date in Retry-After%s', async (_, aheadMs) => {
    const untilMs = Math.ceil(Date.now() / 1000) * 1000 + 20_000;
    const retryAfter = new Date(untilMs + aheadMs).toUTCString();
    const { client, arrivalsMs } = await startServerWithOne429(retryAfter, aheadMs);
    await advanceUntilSettled(client.call(getVps, vps, peopleCall));
    expect(arrivalsMs[1]).toBeGreaterThanOrEqual(untilMs);
    expect(arrivalsMs[1]).toBeLessThan(untilMs + 3_000);
  });

  test.each(['99999999999999', '31536000', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'with Retry-After %j pauses the key for at most an hour',
    async (retryAfter) => {
      const { client, usage } = await startServerWithOne429(retryAfter);
      const { failure } = await advanceUntilSettled(
        catchHostingError(client.call(performVpsAction, reboot, peopleCall)),
      );
      expect(failure.retryAfterMs).toBe(3_600_000);
      expect((await usage()).wait.people.waitMs).toBeLessThanOrEqual(3_600_000);
    },
  );

  test('is not retried after the third', async () => {
    const { client, injectFault, listCalls } = await startSandboxClientHarness({ limits });
    await injectFault({ fault: 'status:429', times: 9 });
    expect((await advanceUntilSettled(catchHostingError(client.call(getVps, vps, peopleCall)))).code).toBe(
      'quota_exceeded',
    );
    await advanceTime(5_000);
    expect(await listCalls()).toHaveLength(3);
  });

  test('is not retried after the deadline of the call', async () => {
    const { client, listCalls, injectFault } = await startSandboxClientHarness({ limits });
    await injectFault({ fault: 'status:429' });
    const notAfterMs = Date.now() + 800;
    const call = client.call(getVps, vps, { ...peopleCall, notAfterMs });
    await expect(advanceUntilSettled(call)).rejects.toMatchObject({ code: 'deadline_passed' });
    await advanceTime(5_000);
    expect(await listCalls()).toHaveLength(1);
  });
});

const notSent = { code: 'service_unreachable', failure: { sendState: 'not-sent' } };
const late = { code: 'service_timeout', failure: { sendState: 'unknown' } };

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
