import { expect, test } from 'vitest';
import { createScheduleFixture } from '../schedule-fixture.ts';

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
