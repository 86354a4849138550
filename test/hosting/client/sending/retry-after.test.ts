import { describe, expect, test } from 'vitest';
import { listSnapshots } from '../../../../src/hosting/endpoints/snapshots.ts';
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
import { respond, startTestHttpServer } from '../test-servers.ts';

const vps = { params: { vps_name: 'VPS-10001' } };
const reboot = { ...vps, body: { action: 'reboot' } };
const limits = relaxedLimits;

useFakeTime();

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
  test('of the real quota lets a GET retry when the service allows it', async () => {
    const { client, listCalls } = await startSandboxClientHarness({
      limits,
      sandbox: { quota: 1, windowMs: 5_000 },
    });
    await advanceUntilSettled(client.call(listSnapshots, vps, peopleCall));
    expect(await advanceUntilSettled(client.call(getVps, vps, peopleCall))).toMatchObject({
      vps_name: 'VPS-10001',
    });
    expect((await listCalls()).map(({ status }) => status)).toEqual([200, 429, 200]);
  });

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
