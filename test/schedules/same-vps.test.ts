import { expect, test } from 'vitest';
import { createScheduleFixture } from './schedule-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

test('two schedules take turns on a VPS, and the second one gives up after 15 minutes', async () => {
  const { posted, runs, hooks, createProcess, add, advance } = await createScheduleFixture();
  hooks.toRun = () => ({ status: 'sent', settledMs: null, progress: null, result: null });
  const schedules = [await add('nightly'), await add('weekly')];
  const [first] = schedules.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await createProcess('A').start();
  await advance(hourMs + 5 * minuteMs);
  expect([...runs.keys()]).toEqual([expect.stringContaining(first?.id ?? '')]);
  await advance(15 * minuteMs);
  expect(runs.size).toBe(1);
  expect(posted.at(-1)).toContain(`"${first?.name}" was still working on VPS-10001`);
});

test('a schedule that learns its VPS late does not begin beside one that has already claimed it', async () => {
  const { runs, hooks, createProcess, add, advance } = await createScheduleFixture();
  hooks.toRun = () => ({ status: 'sent', settledMs: null, progress: null, result: null });
  const timing = { kind: 'day', at: '01:01', zone: 'UTC', quiet: [] } as const;
  await add('early', { vps: 'VPS-*' });
  const late = await add('late', { timing });
  const list = Promise.withResolvers<object>();
  const state = Promise.withResolvers<object>();
  hooks.readVps = (_, vps) => (vps === '' ? list : state).promise;
  await createProcess('A').start();
  await advance(hourMs + 2 * minuteMs);
  list.resolve([{ vps_name: 'VPS-10001', status: 'running' }]);
  await advance(minuteMs);
  state.resolve({ status: 'running' });
  await advance(5 * minuteMs);
  expect([...runs.keys()]).toEqual([expect.stringContaining(late.id)]);
});
