import { describe, expect, test } from 'vitest';
import type { Schedule } from '../../../src/schedules/schedule.ts';
import { createScheduleStore } from '../../../src/schedules/schedule-store.ts';
import { databases, useTestDatabase } from '../../db/test-database.ts';
import { claimScheduleJob } from '../claim-schedule-job.ts';

const dueMs = 1_000;
const begunOccurrence = { dueMs, targets: [] };
const end = { nextMs: null, progress: { lastResult: { dueMs, isOk: true, text: 'Done.' } } };
const pause = { reason: 'person', byUserId: 'U0ALICE' } as const;

describe.each(databases)('schedules in $name', ({ start }) => {
  const database = useTestDatabase(start);

  function setUp() {
    const { db } = database;
    const store = createScheduleStore(db);
    const add = async (name: string, state: 'active' | 'approval' = 'active') => {
      const act = {
        operation: 'reboot',
        input: {},
        vps: 'VPS-10001',
        title: 'Reboot VPS-10001',
        command: 'reboot VPS-10001',
        when: 'tomorrow 03:00',
      };
      const timing = { kind: 'once', atMs: dueMs, zone: 'UTC' } as const;
      const plan = { name, channel: 'C0OPS', act, timing, keep: null, announceMs: 0 };
      const schedule = await store.add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, state, 0);
      await claimScheduleJob(db, schedule.id, 'token');
      return schedule;
    };
    const reload = async ({ id }: Schedule) => {
      const schedule = await store.get(id);
      if (!schedule) throw new Error('the schedule is gone');
      return schedule;
    };
    return { db, store, add, reload };
  }

  test('a time that is skipped never begins, and one that has begun is not skipped', async () => {
    const { store, add } = setUp();
    const skipped = await add('skipped');
    expect(await store.skip(skipped, dueMs, 'U0ALICE')).toBeDefined();
    expect(await store.begin(skipped, 'token', begunOccurrence)).toBeUndefined();
    const begun = await add('begun');
    expect(await store.begin(begun, 'token', begunOccurrence)).toBeDefined();
    expect(await store.begin(begun, 'token', begunOccurrence)).toBeUndefined();
    expect(await store.skip(begun, dueMs, 'U0ALICE')).toBeUndefined();
  });

  test('a process that lost its claim stores no result', async () => {
    const { db, store, add, reload } = setUp();
    const schedule = await add('claimed again');
    await claimScheduleJob(db, schedule.id, 'another token');
    expect(await store.finish(schedule, 'token', end, 0)).toBeUndefined();
    expect(await reload(schedule)).toMatchObject({ state: { kind: 'active' }, lastResult: null });
    expect(await store.finish(schedule, 'another token', end, 0)).toBeDefined();
  });

  test('an approval holds for a schedule that was renamed, and for no later decision', async () => {
    const { store, add, reload } = setUp();
    const asked = await add('asked', 'approval');
    await store.edit(asked, { ...asked, name: 'renamed' }, 0);
    await store.approve(asked, 'U0BOB', ['VPS-10001'], 0);
    expect(await reload(asked)).toMatchObject({
      ...{ name: 'renamed', state: { kind: 'active' }, nextMs: dueMs },
      approval: { by: 'U0BOB', targets: ['VPS-10001'] },
    });
    const changed = await add('changed', 'approval');
    await store.edit(changed, { ...changed, createdMs: 1 }, 0);
    await store.approve(changed, 'U0BOB', ['VPS-10001'], 0);
    expect(await reload(changed)).toMatchObject({ state: { kind: 'approval' }, approval: null });
  });

  test('a schedule without another time ends, although it was paused in the meantime', async () => {
    const { store, add, reload } = setUp();
    const once = await add('once');
    await store.begin(once, 'token', begunOccurrence);
    await store.pause(await reload(once), pause, 0);
    await store.finish(await reload(once), 'token', end, 0);
    expect((await store.get(once.id))?.state).toEqual({ kind: 'ended' });
    const repeated = await add('repeated');
    await store.pause(repeated, pause, 0);
    await store.finish(await reload(repeated), 'token', { ...end, nextMs: 2 * dueMs }, 0);
    expect(await store.get(repeated.id)).toMatchObject({ state: { kind: 'paused' }, nextMs: dueMs });
  });
});
