import { expect, test } from 'vitest';
import { getStatus } from '../../../../src/hosting/endpoints/system.ts';
import { getVps } from '../../../../src/hosting/endpoints/vps.ts';
import { maxCallsInWindow } from '../../quota/call-recorder.ts';
import { backgroundCall, peopleCall, startSandboxClientHarness } from '../client-harness.ts';

const windowMs = 600;
const reads = 300;

test('300 background reads never exceed the quota, and a call of a person among them is sent at once', async () => {
  const { client, listCalls } = await startSandboxClientHarness({
    limit: 50,
    windowMs,
    sandbox: { quota: 50, windowMs, vpsCount: reads },
  });
  const backlog = Array.from({ length: reads }, (_, index) =>
    client.call(getVps, { params: { vps_name: `VPS-${10_001 + index}` } }, backgroundCall),
  );
  await backlog[100];
  const before = (await listCalls()).length;
  await client.call(getStatus, {}, peopleCall);
  const seen = await listCalls();
  await Promise.all(backlog);

  const all = await listCalls();
  expect(all).toHaveLength(reads + 1);
  expect(all.filter(({ status }) => status !== 200)).toEqual([]);
  const arrivals = all.map(({ at }) => ({ sentAtMs: at, answeredAtMs: at }));
  expect(maxCallsInWindow(arrivals, windowMs)).toBeLessThanOrEqual(50);
  // The person's call overtook the two hundred waiting ones.
  expect(seen.findIndex(({ path }) => path === '/v1')).toBeLessThanOrEqual(before + 40);
  expect(seen.length).toBeLessThan(reads - 100);
});
