import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { getRrdMonitoring } from '../../../src/hosting/endpoints/monitoring.ts';
import { createSnapshot, listSnapshots } from '../../../src/hosting/endpoints/snapshots.ts';
import { getVps, listVps, performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import {
  advanceTime,
  advanceUntilSettled,
  backgroundCall,
  catchHostingError,
  createClientHarness,
  peopleCall,
  relaxedLimits,
  startSandboxClientHarness,
  useFakeTime,
} from './client-harness.ts';
import { respond, startTestHttpServer } from './test-servers.ts';

const vps = { params: { vps_name: 'VPS-10001' } };
const reboot = { ...vps, body: { action: 'reboot' } };
const limits = relaxedLimits;

useFakeTime();

describe('identical reads in flight', () => {
  test('share one call', async () => {
    const { client, listCalls } = await startSandboxClientHarness({ limits });
    const reads = Array.from({ length: 10 }, () => client.call(getVps, vps, peopleCall));
    const answers = await advanceUntilSettled(Promise.all(reads));
    expect(new Set(answers).size).toBe(1);
    expect(await listCalls()).toHaveLength(1);
  });

  test('do not include another path or query', async () => {
    const { client, listCalls } = await startSandboxClientHarness({ limits });
    const reads = [
      client.call(getVps, vps, peopleCall),
      client.call(getVps, { params: { vps_name: 'VPS-10002' } }, peopleCall),
      client.call(getRrdMonitoring, { ...vps, query: { range: 'day' } }, peopleCall),
      client.call(getRrdMonitoring, { ...vps, query: { range: 'week' } }, peopleCall),
    ];
    await advanceUntilSettled(Promise.all(reads));
    expect(await listCalls()).toHaveLength(4);
  });

  test('fail together, and the next read makes a new call', async () => {
    const { client, injectFault, listCalls } = await startSandboxClientHarness({ limits });
    await injectFault({ fault: 'status:404' });
    const reads = [1, 2].map(() => client.call(getVps, vps, { ...peopleCall, maxAgeMs: 60_000 }));
    const codes = (await advanceUntilSettled(Promise.all(reads.map(catchHostingError)))).map(
      ({ code }) => code,
    );
    expect(codes).toEqual(['not_found', 'not_found']);
    await advanceUntilSettled(client.call(getVps, vps, { ...peopleCall, maxAgeMs: 60_000 }));
    expect(await listCalls()).toHaveLength(2);
  });

  test('are not shared between keys', async () => {
    const { client, sandbox, listCalls } = await startSandboxClientHarness({ limits });
    const other = await createClientHarness(sandbox.url, { limits, apiKey: 'sandbox-key-read' });
    await advanceUntilSettled(
      Promise.all([client.call(listVps, {}, peopleCall), other.client.call(listVps, {}, peopleCall)]),
    );
    expect(await listCalls()).toHaveLength(2);
  });
});

describe('identical reads that wait for the quota', () => {
  const quota = { limits, limit: 1, windowMs: 10_000 };
  const alice = { ...peopleCall, caller: 'alice' };
  const bob = { ...peopleCall, caller: 'bob' };
  const vpsNamed = (number: number) => ({ params: { vps_name: `VPS-1000${number}` } });

  test.each([
    { name: 'another person', first: alice },
    { name: 'a report', first: { ...backgroundCall, caller: 'report' } },
  ])('keep nobody waiting in the turn of $name, and cost one call', async ({ first }) => {
    const { client, listCalls } = await startSandboxClientHarness(quota);
    const answered: string[] = [];
    const read = async (name: string, number: number, options: typeof first | typeof bob) => {
      await client.call(getVps, vpsNamed(number), options);
      answered.push(name);
    };
    const all = [1, 2, 3, 4].map((number) => read(`first ${number}`, number, first));
    await advanceTime(1_000);
    const second = read('bob', 4, bob);
    await advanceUntilSettled(second, 15_000);
    await advanceTime(10);
    expect(answered.toSorted()).toEqual(['bob', 'first 1', 'first 4']);
    await advanceUntilSettled(Promise.all(all));
    expect(await listCalls()).toHaveLength(4);
  });
});

describe('a cached result', () => {
  test('is used up to that age, also in the other lane', async () => {
    const { client, listCalls } = await startSandboxClientHarness({ limits });
    const answer = await advanceUntilSettled(client.call(getVps, vps, backgroundCall));
    await advanceTime(4_000);
    expect(await client.call(getVps, vps, { ...peopleCall, maxAgeMs: 5_000 })).toBe(answer);
    expect(await listCalls()).toHaveLength(1);
    await advanceTime(2_000);
    await advanceUntilSettled(client.call(getVps, vps, { ...peopleCall, maxAgeMs: 5_000 }));
    expect(await listCalls()).toHaveLength(2);
  });

  test('is not used after the clock was set back by an hour', async () => {
    const { client, listCalls } = await startSandboxClientHarness({ limits });
    const options = { ...peopleCall, maxAgeMs: 60_000 };
    await advanceUntilSettled(client.call(getVps, vps, options));
    const nowMs = Date.now();
    onTestFinished(() => void vi.setSystemTime(nowMs));
    vi.setSystemTime(nowMs - 3_600_000);
    await advanceUntilSettled(client.call(getVps, vps, options));
    expect(await listCalls()).toHaveLength(2);
  });
});

describe('after a change', () => {
  test('no earlier result is used', async () => {
    const { client, listCalls } = await startSandboxClientHarness({ limits });
    const options = { ...peopleCall, maxAgeMs: 60_000 };
    await advanceUntilSettled(client.call(listSnapshots, vps, options));
    await advanceUntilSettled(client.call(createSnapshot, { ...vps, body: { name: 'new' } }, peopleCall));
    expect(await advanceUntilSettled(client.call(listSnapshots, vps, options))).toMatchObject({
      snapshots: expect.arrayContaining([expect.objectContaining({ name: 'new' })]),
    });
    expect(await listCalls()).toHaveLength(3);
  });

  test('no read joins an earlier one, whose result is not cached', async () => {
    const released = Promise.withResolvers<void>();
    let state = 'running';
    const server = await startTestHttpServer((response, { method }) => {
      const answer = { success: true, data: { state } };
      if (method === 'POST') state = 'rebooting';
      const isFirst = server.requests.length === 1;
      void (isFirst ? released.promise : Promise.resolve()).then(() => respond(response, 200, answer));
    });
    const { client } = await createClientHarness(server.url, { limits });
    const options = { ...peopleCall, maxAgeMs: 60_000 };
    const before = client.call(getVps, vps, options);
    await advanceTime(500);
    await advanceUntilSettled(client.call(performVpsAction, reboot, peopleCall));
    expect(await advanceUntilSettled(client.call(getVps, vps, options))).toEqual({ state: 'rebooting' });
    released.resolve();
    expect(await advanceUntilSettled(before)).toEqual({ state: 'running' });
    expect(await client.call(getVps, vps, options)).toEqual({ state: 'rebooting' });
    expect(server.requests).toHaveLength(3);
  });
});
