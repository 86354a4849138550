import { expect, test } from 'vitest';
import { createScheduleFixture, startMs } from '../schedule-fixture.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

test('snapshots that were deleted or have failed leave no rows behind', async () => {
  const { db, hooks, posted, createProcess, add, advance } = await createScheduleFixture();
  const keep = { hours: 0, days: 1, weeks: 0, months: 0, years: 0 };
  await add('nightly', { operation: 'snapshot create', keep });
  const nameOf = (day: number) =>
    `nightly-${new Date(startMs + hourMs + day * dayMs).toISOString().slice(0, 10).replaceAll('-', '')}t0100z`;
  const snapshots = [0, 1, 2, 3].map((day) => ({
    name: nameOf(day),
    status: day === 2 ? 'failed' : 'available',
  }));
  hooks.readVps = async () => ({ status: 'running', snapshots });
  await createProcess('A').start();
  await advance(3 * dayMs + 2 * hourMs, 600_000);
  expect(posted.filter((text) => text.includes('Deleted'))).toHaveLength(2);
  const rows = await db.selectFrom('scheduled_snapshot').select('name').orderBy('name').execute();
  expect(rows.map(({ name }) => name)).toEqual([nameOf(3)]);
});
