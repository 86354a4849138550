import { expect, test } from 'vitest';
import { createPlanPurge } from '../../../src/plans/plan-purge.ts';
import { createScheduleFixture, startMs } from '../schedule-fixture.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const teamId = 'T0ACME';

test('a schedule that has ended stays in the list for a week, and then frees its name', async () => {
  const { db, clock, store, createProcess, add, advance } = await createScheduleFixture();
  const once = { kind: 'once', atMs: startMs + hourMs, zone: 'UTC' } as const;
  await add('once', { timing: once });
  await add('later', { timing: { ...once, atMs: startMs + 20 * dayMs } });
  await add('nightly');
  const process = createProcess('A');
  await process.start();
  await advance(hourMs + 60_000);
  await process.stop(0);
  expect(await store.find(teamId, 'once')).toMatchObject({
    state: { kind: 'ended' },
    lastResult: { isOk: true },
  });

  const purge = createPlanPurge(db);
  const context = { signal: new AbortController().signal, clock };
  const listNames = async () => (await store.list(teamId)).map(({ name }) => name);
  clock.jumpTo(startMs + 7 * dayMs);
  await purge.run(context);
  expect(await listNames()).toEqual(['later', 'nightly', 'once']);
  clock.jumpTo(startMs + 8 * dayMs);
  await purge.run(context);
  expect(await listNames()).toEqual(['later', 'nightly']);
  await add('once');
});
