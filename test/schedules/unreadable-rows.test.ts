import { expect, test } from 'vitest';
import { RackhandError } from '../../src/errors.ts';
import { createSnapshotStore } from '../../src/schedules/retention/snapshot-store.ts';
import { createScheduleFixture, startMs } from './schedule-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A settled run whose stored problem can't be read. */
const unreadable = { settledMs: 0, progress: null, result: null };

test.each(['failed', 'unknown', 'expired'])(
  'a run with an unreadable problem that is %s is not a success',
  async (status) => {
    const { posted, store, hooks, createProcess, add, advance } = await createScheduleFixture();
    const { id } = await add('nightly');
    hooks.toRun = () => ({ ...unreadable, status });
    await createProcess('A').start();
    await advance(hourMs + minuteMs);
    expect(posted.at(-1)).toContain("⚠️ Reboot Rackhand can't read this stored request.");
    expect(await store.get(id)).toMatchObject({ lastResult: { isOk: false } });
  },
);

test('a snapshot whose deletion failed with an unreadable problem is not reported as deleted', async () => {
  const { db, posted, requestedNames, hooks, createProcess, add, advance } = await createScheduleFixture();
  const keep = { hours: 0, days: 1, weeks: 0, months: 0, years: 0 };
  const { id } = await add('nightly', { operation: 'snapshot create', keep });
  const snapshots = createSnapshotStore(db);
  const old = { vps: 'VPS-10001', name: 'old' };
  await snapshots.add(id, { ...old, takenMs: startMs - 48 * hourMs, state: 'available' });
  hooks.readVps = async () => ({
    status: 'running',
    snapshots: ['old', ...requestedNames].map((name) => ({ name, status: 'available' })),
  });
  const { toRun } = hooks;
  hooks.toRun = (operation) =>
    operation === 'snapshot delete' ? { ...unreadable, status: 'failed' } : toRun(operation);
  await createProcess('A').start();
  await advance(hourMs + minuteMs);
  expect(posted.at(-1)).toContain("old wasn't deleted: Rackhand can't read this stored request.");
  expect(await snapshots.list(id)).toContainEqual(expect.objectContaining({ ...old, state: 'available' }));
});

test('an unreadable schedule that holds a VPS does not stop another one', async () => {
  const { db, posted, store, createProcess, add, advance } = await createScheduleFixture();
  const { id, teamId } = await add('unreadable');
  const readable = await add('readable');
  await store.lock({ ...readable, id }, 'VPS-10001');
  await db.updateTable('schedule').set({ timing: '[]', occurrence: '{}' }).where('id', '=', id).execute();
  await createProcess('A').start();
  await advance(hourMs + 20 * minuteMs, 5_000);
  const text = 'Another schedule was still working on VPS-10001, so this time was skipped.';
  expect(posted.at(-1)).toContain(text);
  expect((await store.find(teamId, 'readable'))?.occurrence).toBe(null);
});

test('a target whose run is unreadable does not hold up the others', async () => {
  const { store, runs, hooks, createProcess, add, advance } = await createScheduleFixture();
  const { id } = await add('nightly', { vps: 'VPS-10001 VPS-10002' });
  const { toRun } = hooks;
  hooks.toRun = () => ({ status: 'sent', settledMs: null, progress: null, result: null });
  hooks.beforeFindRun = async (_, requestKey) => {
    if (runs.has(requestKey) && requestKey.includes('VPS-10001'))
      throw new RackhandError('row_unreadable', "This version of Rackhand can't read the run.");
  };
  await createProcess('A').start();
  await advance(hourMs + minuteMs);
  for (const [key, run] of runs) if (key.includes('VPS-10002')) Object.assign(run, toRun('reboot'));
  await advance(minuteMs);
  expect((await store.get(id))?.occurrence?.targets).toMatchObject([
    { isOk: false },
    { step: 'done', isOk: true },
  ]);
});
