import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/db/engines/database.ts';
import { RackhandError } from '../../../src/errors.ts';
import { createLocalDatabaseClock } from '../../../src/jobs/database-clock.ts';
import type { JobQueue } from '../../../src/jobs/job-kind.ts';
import { createJobs } from '../../../src/jobs/jobs.ts';
import { createMaintenanceJob } from '../../../src/monitoring/maintenance/maintenance-job.ts';
import { createMaintenanceOperations } from '../../../src/monitoring/maintenance/maintenance-operations.ts';
import {
  createMaintenanceStore,
  findCurrent,
} from '../../../src/monitoring/maintenance/maintenance-store.ts';
import type { PlanJobPayload } from '../../../src/plans/plan-job.ts';
import { createManualClock } from '../../jobs/clocks/manual-clock.ts';
import { settle } from '../../jobs/jobs-fixture.ts';

const hourMs = 3_600_000;
const startMs = Date.parse('2026-11-25T00:00Z');

/** Creates a daily window from 02:00 to 04:00, and processes that announce it. */
async function createFixture() {
  const { db, close } = await openDatabase('sqlite::memory:');
  onTestFinished(close);
  const clock = createManualClock(startMs);
  let wake = () => {};
  let ensure: JobQueue<PlanJobPayload>['ensure'] = async () => {};
  const store = createMaintenanceStore(db, {
    queue: {
      schedule: ({ id, teamId }, transaction) => ensure({ id, teamId, payload: {} }, transaction),
      wake: () => wake(),
    },
  });
  const posted: string[] = [];
  const hooks = {
    listWatchedVps: async () => undefined,
    watchChannels: [] as readonly string[],
  };
  const timing = { kind: 'day', at: '02:00', ends: { at: '04:00' }, zone: 'UTC' } as const;
  const plan = { name: 'daily', channel: 'C1', vps: '*', timing };
  const window = await store.add({ teamId: 'T1', userId: 'U1' }, plan, startMs);

  function createProcess() {
    const databaseClock = createLocalDatabaseClock(clock);
    const jobs = createJobs({ db, databaseClock, hasReplicas: false, log: { warn() {}, error() {} } });
    const job = createMaintenanceJob({
      store,
      loadSilence: async () => ({ untilMs: () => undefined }) as never,
      listWatchedVps: () => hooks.listWatchedVps(),
      listWatchChannels: async () => hooks.watchChannels,
      transact: (work) => db.transaction().execute(work),
      postOutcome: async (_key, { channel }, { title }) => {
        const where = channel === 'C1' ? '' : `${channel} `;
        const at = new Date(clock.now()).toISOString().slice(8, 16);
        posted.push(`${where}${at} ${title.split(' ').at(-1)}`);
      },
      runs: { addAuditEntry: async () => {} },
      listAdmins: async () => [],
      labelVpsFor: async () => (text: string) => text,
      clock,
    });
    ({ ensure, wake } = jobs.define(job));
    onTestFinished(() => jobs.stop(0));
    return jobs;
  }
  return { db, clock, store, posted, hooks, window, createProcess };
}

test.each([
  { code: 'stopped', isPermanent: false },
  { code: 'key_missing', isPermanent: true },
] as const)('an end is announced although the VPS could not be listed: $code', async (given) => {
  const { clock, posted, hooks, createProcess } = await createFixture();
  const jobs = createProcess();
  let callCount = 0;
  hooks.listWatchedVps = async () => {
    callCount += 1;
    if (callCount === 1 || given.isPermanent) throw new RackhandError(given.code, 'The VPS were not listed.');
    return undefined;
  };
  await jobs.start();
  await clock.advanceTo(startMs + 5 * hourMs, settle);
  expect(posted).toEqual(['25T02:00 begun', '25T04:00 ended']);
});

test('an end waits ten minutes for a list of VPS that keeps failing', async () => {
  const { clock, posted, hooks, createProcess } = await createFixture();
  const jobs = createProcess();
  hooks.listWatchedVps = async () => {
    throw new RackhandError('stopped', 'The VPS were not listed.');
  };
  await jobs.start();
  await clock.advanceTo(startMs + 4 * hourMs + 9 * 60_000, settle);
  expect(posted).toEqual(['25T02:00 begun']);
  await clock.advanceTo(startMs + 4 * hourMs + 16 * 60_000, settle);
  expect(posted).toEqual(['25T02:00 begun', expect.stringMatching(/^25T04:1\d ended$/)]);
});

test('an occurrence that is prolonged after its end, before that was announced, begins again', async () => {
  const { clock, store, posted, hooks, window, createProcess } = await createFixture();
  const jobs = createProcess();
  hooks.listWatchedVps = async () => {
    throw new RackhandError('stopped', 'The VPS were not listed.');
  };
  await jobs.start();
  await clock.advanceTo(startMs + 4 * hourMs + 60_000, settle);
  const ended = await store.get(window.id);
  const timing = { ...window.timing, ends: { at: '06:00' } } as const;
  await store.edit(ended ?? window, { ...window, timing }, clock.now(), 'U1');
  await clock.advanceTo(startMs + 6 * hourMs + 30 * 60_000, settle);
  expect(posted.map((text) => text.split(' ').at(-1))).toEqual(['begun', 'ended', 'begun', 'ended']);
});

test('a window that is paused and resumed begins again', async () => {
  const { clock, store, posted, window, createProcess } = await createFixture();
  await createProcess().start();
  await clock.advanceTo(startMs + 3 * hourMs, settle);
  const running = (await store.get(window.id)) ?? window;
  await store.pause(running, { reason: 'person', byUserId: 'U1' }, clock.now());
  await clock.advanceTo(startMs + 3 * hourMs + 60_000, settle);
  await store.resume((await store.get(window.id)) ?? window, 'U1', clock.now());
  await clock.advanceTo(startMs + 3 * hourMs + 2 * 60_000, settle);
  expect(posted).toEqual(['25T02:00 begun', '25T03:00 ended', '25T03:01 begun']);
});

test('a window whose process ended before it scheduled the announcements is announced', async () => {
  const { clock, posted, createProcess } = await createFixture();
  await createProcess().start();
  await clock.advanceTo(startMs + 5 * hourMs, settle);
  expect(posted).toEqual(['25T02:00 begun', '25T04:00 ended']);
});

test('an occurrence that a person ends is ended and announced together, or not at all', async () => {
  const { db, clock, store, posted, window, createProcess } = await createFixture();
  const jobs = createProcess();
  await jobs.start();
  await clock.advanceTo(startMs + 3 * hourMs, settle);
  const { operations } = createMaintenanceOperations({ store, now: clock.now } as never);
  const operation = operations.find(({ name }) => name === 'maintenance end');
  if (operation?.kind !== 'local') throw new Error('there is no such operation');
  const loadAccess = async () => () => undefined;
  const context = { actor: { teamId: 'T1', userId: 'U1' }, loadAccess } as never;
  const end = async () => operation.run(context, { name: 'daily' });

  // Stands for a process that ends between the two changes.
  await sql`create trigger gone before update on plan begin select raise(abort, 'gone'); end`.execute(db);
  await expect(end()).rejects.toThrow('gone');
  expect(await store.get(window.id)).toMatchObject({ endedMs: null });
  await sql`drop trigger gone`.execute(db);
  await end();
  await clock.advanceTo(startMs + 3 * hourMs + 60_000, settle);
  expect(posted).toEqual(['25T02:00 begun', '25T03:00 ended']);
});

test('an occurrence that is skipped is not announced, and a window without a further time is done', async () => {
  const { clock, store, posted, window, createProcess } = await createFixture();
  const jobs = createProcess();
  const once = { kind: 'once', atMs: startMs + 8 * hourMs, zone: 'UTC', ends: { afterMs: hourMs } } as const;
  const plan = { name: 'once', channel: 'C1', vps: '*', timing: once };
  const single = await store.add({ teamId: 'T1', userId: 'U1' }, plan, startMs);
  await store.skip(window, startMs + 2 * hourMs, 'U1');
  await jobs.start();
  await clock.advanceTo(startMs + 10 * hourMs, settle);
  expect(posted).toEqual(['25T08:00 begun', '25T09:00 ended']);
  expect(await store.get(window.id)).toMatchObject({ nextMs: startMs + 26 * hourMs });
  expect(await store.get(single.id)).toMatchObject({ state: { kind: 'ended' }, nextMs: null });
});

test.each([
  { how: 'skipped', stop: 'skip' },
  { how: 'ended', stop: 'endOccurrence' },
] as const)(
  'an occurrence that is $how does not begin again when the window is renamed',
  async ({ stop }) => {
    const { store, window } = await createFixture();
    const dueMs = startMs + 2 * hourMs;
    if (stop === 'skip') await store.skip(window, dueMs, 'U1');
    else await store.endOccurrence(window, dueMs, 'U1');
    const [skipped] = await store.list('T1');
    if (!skipped) throw new Error('the window is gone');
    const renamed = await store.edit(skipped, { ...skipped, name: 'nightly' }, startMs, 'U1');
    expect(renamed && findCurrent(renamed, startMs + 3 * hourMs)).toBeUndefined();
    const timing = { ...window.timing, ends: { at: '05:00' } } as const;
    const moved = renamed && (await store.edit(renamed, { ...renamed, timing }, startMs, 'U1'));
    expect(moved && findCurrent(moved, startMs + 3 * hourMs)).toMatchObject({
      untilMs: startMs + 5 * hourMs,
    });
  },
);

test('an occurrence that is prolonged ends later', async () => {
  const { clock, store, posted, window, createProcess } = await createFixture();
  await createProcess().start();
  await clock.advanceTo(startMs + 3 * hourMs, settle);
  const running = await store.get(window.id);
  const timing = { ...window.timing, ends: { at: '05:00' } } as const;
  if (running) await store.edit(running, { ...running, timing }, clock.now(), 'U1');
  await clock.advanceTo(startMs + 6 * hourMs, settle);
  expect(posted).toEqual(['25T02:00 begun', '25T05:00 ended']);
});

test.each(['pause', 'delete'] as const)(
  'a window that is stopped by %s during an occurrence says that it has ended',
  async (how) => {
    const { clock, store, posted, window, createProcess } = await createFixture();
    await createProcess().start();
    await clock.advanceTo(startMs + 3 * hourMs, settle);
    const running = await store.get(window.id);
    if (running && how === 'pause')
      await store.pause(running, { reason: 'person', byUserId: 'U1' }, clock.now());
    else if (running) await store.delete(running, { byUserId: 'U1' }, clock.now());
    await clock.advanceTo(startMs + 28 * hourMs, settle);
    expect(posted).toEqual(['25T02:00 begun', '25T03:00 ended']);
  },
);
