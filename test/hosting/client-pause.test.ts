import { describe, expect, test } from 'vitest';
import { listSnapshots } from '../../src/hosting/endpoints/snapshots.ts';
import { getVps, performVpsAction } from '../../src/hosting/endpoints/vps.ts';
import {
  createCalling,
  failureOf,
  pass,
  patientLimits,
  people,
  settle,
  startCalling,
  useFakeTime,
} from './calling.ts';
import { respond, startHttpServer } from './servers.ts';

const vps = { params: { vps_name: 'VPS-10001' } };
const reboot = { ...vps, body: { action: 'reboot' } };
const limits = patientLimits;

useFakeTime();

/** Gives a client whose first call is answered 429 with that header, and the times at which its calls arrive. */
async function refusingOnce(retryAfter: string | undefined) {
  const arrivalsMs: number[] = [];
  const server = await startHttpServer((response) => {
    arrivalsMs.push(Date.now());
    if (arrivalsMs.length > 1) return respond(response, 200);
    respond(response, 429, {}, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  });
  return { arrivalsMs, ...(await createCalling(server.url, { limits })) };
}

describe('a 429', () => {
  test('of the real quota lets a GET come back when the service allows it', async () => {
    const { client, calls } = await startCalling({ limits, sandbox: { quota: 1, windowMs: 5_000 } });
    await settle(client.call(listSnapshots, vps, people));
    expect(await settle(client.call(getVps, vps, people))).toMatchObject({ vps_name: 'VPS-10001' });
    expect((await calls()).map(({ status }) => status)).toEqual([200, 429, 200]);
  });

  test('pauses the key: nothing else of it leaves until then either', async () => {
    const { client, arm, calls, usage } = await startCalling({ limits });
    await arm({ fault: 'status:429' });
    const refused = settle(failureOf(client.call(performVpsAction, reboot, people)));
    expect((await refused).failure.retryAfterMs).toBe(1_000);
    expect((await usage()).waitMs.people).toBeGreaterThan(900);
    const told: number[] = [];
    const onQueued = (waitMs: number) => told.push(waitMs);
    await settle(client.call(getVps, vps, { ...people, onQueued }));
    const [first = 0, second = 0] = (await calls()).map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(1_000);
    expect(told[0]).toBeGreaterThan(900);
  });

  test.each([
    ['7', 7_000],
    ['0.5', 500],
    ['0', 0],
    [undefined, 10_000],
    ['soon', 10_000],
    ['-5', 0],
  ])('that says %j is obeyed', async (retryAfter, pauseMs) => {
    const { client, arrivalsMs } = await refusingOnce(retryAfter);
    await settle(client.call(getVps, vps, people));
    const [first = 0, second = 0] = arrivalsMs;
    expect(second - first).toBeGreaterThanOrEqual(pauseMs);
    expect(second - first).toBeLessThan(pauseMs + 3_000);
  });

  test('may say a date', async () => {
    const untilMs = Math.ceil(Date.now() / 1000) * 1000 + 20_000;
    const { client, arrivalsMs } = await refusingOnce(new Date(untilMs).toUTCString());
    await settle(client.call(getVps, vps, people));
    expect(arrivalsMs[1]).toBeGreaterThanOrEqual(untilMs);
    expect(arrivalsMs[1]).toBeLessThan(untilMs + 3_000);
  });

  test.each(['99999999999999', '31536000', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'that says %j pauses the key for an hour at most, for nobody could end it',
    async (retryAfter) => {
      const { client, usage } = await refusingOnce(retryAfter);
      const { failure } = await settle(failureOf(client.call(performVpsAction, reboot, people)));
      expect(failure.retryAfterMs).toBe(3_600_000);
      expect((await usage()).waitMs.people).toBeLessThanOrEqual(3_600_000);
    },
  );

  test('is given up after the third', async () => {
    const { client, arm, calls } = await startCalling({ limits });
    await arm({ fault: 'status:429', times: 9 });
    expect((await settle(failureOf(client.call(getVps, vps, people)))).code).toBe('quota_exceeded');
    await pass(5_000);
    expect(await calls()).toHaveLength(3);
  });

  test('that comes back too late for its deadline does not come back', async () => {
    const { client, calls, arm } = await startCalling({ limits });
    await arm({ fault: 'status:429' });
    const notAfterMs = Date.now() + 800;
    const call = client.call(getVps, vps, { ...people, notAfterMs });
    await expect(settle(call)).rejects.toMatchObject({ code: 'deadline_passed' });
    await pass(5_000);
    expect(await calls()).toHaveLength(1);
  });
});
