import { expect, test } from 'vitest';
import { toAutomaticName } from '../../../src/operations/snapshot/automatic-name.ts';
import { createScheduleFixture, startMs } from '../schedule-fixture.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

test('snapshots that were deleted or have failed leave no rows behind', async () => {
  const { db, hooks, posted, requestedNames, createProcess, add, advance } = await createScheduleFixture();
  const keep = { hours: 0, days: 1, weeks: 0, months: 0, years: 0 };
  await add('nightly', { operation: 'snapshot create', keep });
  hooks.readVps = async () => ({
    status: 'running',
    snapshots: requestedNames
      .filter((name) => name.startsWith('nightly-'))
      .map((name) => ({ name, status: name.includes('20261127') ? 'failed' : 'available' })),
  });
  await createProcess('A').start();
  await advance(3 * dayMs + 2 * hourMs, 600_000);
  expect(posted.filter((text) => text.includes('Deleted'))).toHaveLength(2);
  const rows = await db.selectFrom('scheduled_snapshot').select('name').orderBy('name').execute();
  expect(rows.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^nightly-20261128t0100z-[0-9a-f]{8}$/),
  ]);
});

test('a snapshot that existed before the call is never one of the schedule, whatever its name is', async () => {
  const { db, hooks, requestedNames, createProcess, add, advance } = await createScheduleFixture();
  const keep = { hours: 0, days: 1, weeks: 0, months: 0, years: 0 };
  await add('nightly', { operation: 'snapshot create', keep });
  const byHand: string[] = [];
  // A person has taken a snapshot by the very name that the schedule is about to use.
  hooks.toRun = () => ({ status: 'unknown', settledMs: 0, progress: null, result: null });
  hooks.readVps = async () => {
    const rows = await db.selectFrom('plan').select(['id', 'occurrence']).execute();
    for (const { id, occurrence } of rows)
      if (occurrence !== null && byHand.length === 0)
        byHand.push(toAutomaticName('nightly', startMs + hourMs, `${id},${startMs + hourMs},VPS-10001,1`));
    return { status: 'running', snapshots: byHand.map((name) => ({ name, status: 'available' })) };
  };
  await createProcess('A').start();
  await advance(3 * hourMs, 60_000);
  const rows = await db.selectFrom('scheduled_snapshot').select('name').execute();
  expect(byHand).toHaveLength(1);
  expect(requestedNames).toHaveLength(1);
  expect(rows.map(({ name }) => name)).toEqual(requestedNames);
  expect(requestedNames).not.toContain(byHand[0]);
});
