import { describe, expect, test } from 'vitest';
import { setBackupFtp } from '../../src/hosting/endpoints/backup-ftp.ts';
import { createSnapshot, deleteSnapshot } from '../../src/hosting/endpoints/snapshots.ts';
import { getVps, performVpsAction } from '../../src/hosting/endpoints/vps.ts';
import {
  background,
  createCalling,
  failureOf,
  pass,
  patientLimits,
  people,
  settle,
  startCalling,
  useFakeTime,
} from './calling.ts';
import { findClosedPort, type HttpServer, respond, startHttpServer } from './servers.ts';

const vps = { params: { vps_name: 'VPS-10001' } };
const reboot = { ...vps, body: { action: 'reboot' } };

useFakeTime();

const start = (options?: Parameters<typeof startCalling>[0]) =>
  startCalling({ limits: patientLimits, ...options });

describe('a GET', () => {
  test.each(['status:500', 'status:503', 'html', 'malformed', 'reset'])(
    'is repeated after %s, in a slot of its own, until it succeeds',
    async (fault) => {
      const { client, arm, calls, usage } = await start();
      await arm({ fault, times: 2 });
      expect(await settle(client.call(getVps, vps, people))).toMatchObject({ vps_name: 'VPS-10001' });
      expect(await calls()).toHaveLength(3);
      expect((await usage()).used).toEqual({ people: 3, background: 0 });
    },
  );

  test('is repeated after a pause that grows, and given up after the third attempt', async () => {
    const { client, arm, calls } = await start();
    await arm({ fault: 'status:502', times: 9 });
    expect(await settle(failureOf(client.call(getVps, vps, people)))).toMatchObject({
      code: 'service_failed',
      failure: { status: 502 },
    });
    await pass(5_000);
    const [first = 0, second = 0, third = 0, ...more] = (await calls()).map(({ at }) => at);
    expect(more).toEqual([]);
    expect(second - first).toBeGreaterThanOrEqual(250);
    expect(third - second).toBeGreaterThanOrEqual(500);
    expect(third - first).toBeLessThan(5_000);
  });

  test('that times out is repeated once only', async () => {
    const { client, arm, calls } = await start({ limits: { ...patientLimits, headersTimeoutMs: 15_000 } });
    await arm({ fault: 'timeout', times: 9 });
    const failure = await settle(failureOf(client.call(getVps, vps, people)));
    expect(failure.code).toBe('service_timeout');
    expect(await calls()).toHaveLength(2);
  });

  test.each([400, 401, 403, 404, 409, 422, 302])('is not repeated after %i', async (status) => {
    const { client, arm, calls } = await start();
    await arm({ fault: `status:${status}` });
    expect((await settle(failureOf(client.call(getVps, vps, people)))).failure.status).toBe(status);
    expect(await calls()).toHaveLength(1);
  });

  test('is not repeated when the answer says no or lacks what it must have', async () => {
    const server = await startHttpServer((response) => respond(response, 200, { success: false }));
    const { client } = await createCalling(server.url, { limits: patientLimits });
    const failure = await settle(failureOf(client.call(getVps, vps, people)));
    expect(failure.code).toBe('answer_unsuccessful');
    expect(server.seen).toHaveLength(1);
  });
});

describe('what changes something', () => {
  const changes = [
    { method: 'POST', endpoint: performVpsAction, input: reboot },
    { method: 'PATCH', endpoint: setBackupFtp, input: { ...vps, body: { enabled: false } } },
    { method: 'DELETE', endpoint: deleteSnapshot, input: { params: { ...vps.params, name: 'weekly' } } },
  ];
  const faults = ['status:429', 'status:500', 'status:503', 'status:204', 'html', 'malformed', 'reset'];

  test.each(changes.flatMap((change) => faults.map((fault) => ({ ...change, fault }))))(
    '$method is not repeated after $fault',
    async ({ endpoint, input, fault }) => {
      const { client, arm, calls, usage } = await start();
      await arm({ fault });
      await settle(failureOf(client.call(endpoint, input, people)));
      await pass(15_000);
      expect(await calls()).toHaveLength(1);
      expect((await usage()).used.people).toBe(1);
    },
  );

  test('is not repeated after a timeout', async () => {
    const { client, arm, calls } = await start({ limits: { ...patientLimits, headersTimeoutMs: 15_000 } });
    await arm({ fault: 'timeout' });
    const failure = await settle(failureOf(client.call(performVpsAction, reboot, people)));
    await pass(5_000);
    expect(failure.code).toBe('service_timeout');
    expect(await calls()).toHaveLength(1);
  });

  test('is repeated when it surely never left, each time in a slot of its own and with a word before', async () => {
    const { client, usage } = await createCalling(`http://127.0.0.1:${await findClosedPort()}`);
    let asked = 0;
    const beforeLeaving = async () => {
      asked += 1;
    };
    const call = client.call(performVpsAction, reboot, { ...people, beforeLeaving });
    expect((await settle(failureOf(call))).failure.fate).toBe('never-left');
    expect(asked).toBe(3);
    expect((await usage()).used.people).toBe(3);
  });

  test('gets through once when the service comes up between two attempts', async () => {
    const port = await findClosedPort();
    const { client } = await createCalling(`http://127.0.0.1:${port}`, { limits: patientLimits });
    const servers: HttpServer[] = [];
    let attempts = 0;
    const beforeLeaving = async () => {
      attempts += 1;
      if (attempts === 2) servers.push(await startHttpServer((response) => respond(response, 200), { port }));
    };
    await settle(client.call(performVpsAction, reboot, { ...people, beforeLeaving }));
    expect(attempts).toBe(2);
    expect(servers[0]?.seen).toHaveLength(1);
  });
});

describe('the word before leaving', () => {
  test('comes when the call has its slot, right before its bytes', async () => {
    const { client, calls, usage } = await start({ limit: 1, windowMs: 10_000 });
    const before: unknown[] = [];
    const beforeLeaving = async () => {
      before.push({ atMs: Date.now(), calls: (await calls()).length, used: (await usage()).used.people });
    };
    const startedMs = Date.now();
    await settle(client.call(performVpsAction, reboot, people));
    await settle(client.call(createSnapshot, { ...vps, body: { name: 'a' } }, { ...people, beforeLeaving }));
    const [, logged] = await calls();
    expect(before).toEqual([{ atMs: expect.any(Number), calls: 1, used: 1 }]);
    expect((logged?.at ?? 0) - startedMs).toBeGreaterThanOrEqual(10_000);
  });

  test('keeps the call from leaving by a throw, which the caller has as it was thrown', async () => {
    const { client, calls } = await start();
    const taken = new Error('somebody else has taken this run');
    const beforeLeaving = () => Promise.reject(taken);
    const call = client.call(performVpsAction, reboot, { ...people, beforeLeaving });
    await expect(settle(call)).rejects.toBe(taken);
    await pass(5_000);
    expect(await calls()).toEqual([]);
  });

  test('that takes longer than a call may keeps it from leaving, whose caller has been told of a timeout', async () => {
    const { client, calls } = await start({ callTimeoutMs: 1_000 });
    const saved = Promise.withResolvers<void>();
    const call = client.call(performVpsAction, reboot, { ...people, beforeLeaving: () => saved.promise });
    expect((await settle(failureOf(call))).code).toBe('service_timeout');
    saved.resolve();
    await pass(2_000);
    expect(await calls()).toEqual([]);
  });
});

describe('a slot', () => {
  test('is waited for, and whoever waits is told how long', async () => {
    const { client, calls } = await start({ limit: 2, windowMs: 10_000 });
    const told: number[] = [];
    const onQueued = (waitMs: number) => told.push(waitMs);
    for (let count = 0; count < 3; count += 1) {
      await settle(client.call(getVps, vps, { ...people, onQueued }));
    }
    const [first = 0, , third = 0] = (await calls()).map(({ at }) => at);
    expect(third - first).toBeGreaterThanOrEqual(10_000);
    expect(told).toHaveLength(1);
    expect(told[0]).toBeGreaterThan(9_000);
    expect(told[0]).toBeLessThanOrEqual(10_005);
  });

  test('that does not come free in time lets the call never leave', async () => {
    const { client, calls } = await start({ limit: 1, windowMs: 10_000 });
    await settle(client.call(performVpsAction, reboot, people));
    const late = client.call(
      createSnapshot,
      { ...vps, body: { name: 'a' } },
      { ...people, notAfterMs: Date.now() + 2_000 },
    );
    await expect(settle(late)).rejects.toMatchObject({ code: 'deadline_passed' });
    await pass(15_000);
    expect(await calls()).toHaveLength(1);
  });

  test('of the background is one of its own lane', async () => {
    const { client, usage } = await start({ limit: 10 });
    await settle(client.call(getVps, vps, background));
    expect(await usage()).toMatchObject({ backgroundLimit: 8, used: { people: 0, background: 1 } });
  });
});
