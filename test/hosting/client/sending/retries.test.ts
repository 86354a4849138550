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
import { findClosedPort, respond, startTestHttpServer, type TestHttpServer } from '../test-servers.ts';

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

  test.each(changes.flatMap((change) => faults.map((fault) => ({ ...change, fault }))))(
    '$method is not repeated after $fault',
    async ({ endpoint, input, fault }) => {
      const { client, injectFault, listCalls, usage } = await start();
      await injectFault({ fault });
      await advanceUntilSettled(catchHostingError(client.call(endpoint, input, peopleCall)));
      await advanceTime(15_000);
      expect(await listCalls()).toHaveLength(1);
      expect((await usage()).used.people).toBe(1);
    },
  );

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

  test('takes effect once if the service starts between two attempts', async () => {
    const port = await findClosedPort();
    const { client } = await createClientHarness(`http://127.0.0.1:${port}`, { limits: relaxedLimits });
    const servers: TestHttpServer[] = [];
    let attempts = 0;
    const beforeLeaving = async () => {
      attempts += 1;
      if (attempts === 2)
        servers.push(await startTestHttpServer((response) => respond(response, 200), { port }));
    };
    await advanceUntilSettled(
      client.call(performVpsAction, reboot, { ...peopleCall, beforeSend: beforeLeaving }),
    );
    expect(attempts).toBe(2);
    expect(servers[0]?.requests).toHaveLength(1);
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

describe('a slot', () => {
  test('is waited for, and the caller is told for how long', async () => {
    const { client, listCalls } = await start({ limit: 2, windowMs: 10_000 });
    const waits: number[] = [];
    const onQueued = (waitMs: number) => waits.push(waitMs);
    for (let count = 0; count < 3; count += 1) {
      await advanceUntilSettled(client.call(getVps, vps, { ...peopleCall, onQueued }));
    }
    const [first = 0, , third = 0] = (await listCalls()).map(({ at }) => at);
    expect(third - first).toBeGreaterThanOrEqual(10_000);
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThan(9_000);
    expect(waits[0]).toBeLessThanOrEqual(10_005);
  });

  test('that is not free in time prevents the call', async () => {
    const { client, listCalls } = await start({ limit: 1, windowMs: 10_000 });
    await advanceUntilSettled(client.call(performVpsAction, reboot, peopleCall));
    const late = client.call(
      createSnapshot,
      { ...vps, body: { name: 'a' } },
      { ...peopleCall, notAfterMs: Date.now() + 2_000 },
    );
    await expect(advanceUntilSettled(late)).rejects.toMatchObject({ code: 'deadline_passed' });
    await advanceTime(15_000);
    expect(await listCalls()).toHaveLength(1);
  });
});
