import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/engines/database.ts';
import { scheduleJobName } from '../../src/schedules/schedule-job.ts';
import { createScheduleStore } from '../../src/schedules/schedule-store.ts';
import { claimScheduleJob } from './claim-schedule-job.ts';

async function setUp() {
  const { db, close } = await openDatabase('sqlite::memory:');
  onTestFinished(close);
  const store = createScheduleStore(db, scheduleJobName);
  const add = async (name: string) => {
    const act = {
      operation: 'reboot',
      input: {},
      vps: 'VPS-10001',
      title: 'Reboot VPS-10001',
      command: 'reboot VPS-10001',
      when: 'tomorrow 03:00',
    };
    const timing = { kind: 'once', atMs: 1_000, zone: 'UTC' } as const;
    const plan = { name, channel: 'C0OPS', act, timing, keep: null, announceMs: 0 };
    const schedule = await store.add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, 'active', 0);
    if (!schedule) throw new Error('the name is taken');
    await claimScheduleJob(db, schedule.id, 'token');
    return schedule;
  };
  return { db, store, add };
}

test('a time that is skipped never begins, and one that has begun is not skipped', async () => {
  const { store, add } = await setUp();
  const skipped = await add('skipped');
  expect(await store.skip(skipped.id, 1_000, 'U0ALICE')).toBe(true);
  expect(await store.begin(skipped, 'token', { dueMs: 1_000, targets: [] })).toBe(false);
  const begun = await add('begun');
  expect(await store.begin(begun, 'token', { dueMs: 1_000, targets: [] })).toBe(true);
  expect(await store.begin(begun, 'token', { dueMs: 1_000, targets: [] })).toBe(false);
  expect(await store.skip(begun.id, 1_000, 'U0ALICE')).toBe(false);
});

test('a process that lost its claim does not pause a schedule', async () => {
  const { db, store, add } = await setUp();
  const { id } = await add('claimed again');
  await claimScheduleJob(db, id, 'another token');
  expect(await store.pauseClaimed(id, 'token', 'left')).toBe(false);
  expect((await store.get(id))?.state).toBe('active');
  expect(await store.pauseClaimed(id, 'another token', 'left')).toBe(true);
  expect(await store.get(id)).toMatchObject({ state: 'paused', pausedReason: 'left' });
});
