import { expect, test } from 'vitest';
import { getStatus } from '../../src/hosting/endpoints/system.ts';
import { getVps } from '../../src/hosting/endpoints/vps.ts';
import { background, people, startCalling } from './calling.ts';

const windowMs = 600;
const reads = 300;

/** The most calls in any window that begins with one of them. */
function worstWindow(atMs: readonly number[]): number {
  const sorted = atMs.toSorted((a, b) => a - b);
  return Math.max(
    ...sorted.map((fromMs) => sorted.filter((at) => at >= fromMs && at < fromMs + windowMs).length),
  );
}

test('300 background reads never exceed the quota of the service, which a person meets at once amid them', async () => {
  const { client, calls } = await startCalling({
    limit: 50,
    windowMs,
    sandbox: { quota: 50, windowMs, vpsCount: reads },
  });
  const backlog = Array.from({ length: reads }, (_, index) =>
    client.call(getVps, { params: { vps_name: `VPS-${10_001 + index}` } }, background),
  );
  await backlog[100];
  const before = (await calls()).length;
  await client.call(getStatus, {}, people);
  const seen = await calls();
  await Promise.all(backlog);

  const all = await calls();
  expect(all).toHaveLength(reads + 1);
  expect(all.filter(({ status }) => status !== 200)).toEqual([]);
  expect(worstWindow(all.map(({ at }) => at))).toBeLessThanOrEqual(50);
  // The person went before the two hundred that were waiting.
  expect(seen.findIndex(({ path }) => path === '/v1')).toBeLessThanOrEqual(before + 40);
  expect(seen.length).toBeLessThan(reads - 100);
});
