import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { CreatorStanding } from '../../src/auth/creator-standing.ts';
import { openDatabase } from '../../src/db/engines/database.ts';
import { HostingError } from '../../src/hosting/hosting-error.ts';
import type { Clock } from '../../src/jobs/clock.ts';
import { createLocalDatabaseClock } from '../../src/jobs/database-clock.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import type { Outcome } from '../../src/operations/define/outcome.ts';
import { hostingOperations } from '../../src/operations/hosting-operations.ts';
import { createPlanPurge } from '../../src/plans/plan-purge.ts';
import { deniedProblem } from '../../src/runs/problem.ts';
import type { Runner } from '../../src/runs/runner.ts';
import { createOccurrenceExecutor } from '../../src/schedules/execution/execute-occurrence.ts';
import type { SchedulePlan } from '../../src/schedules/schedule.ts';
import { createScheduleJob } from '../../src/schedules/schedule-job.ts';
import { createScheduleStore, createSnapshotStore } from '../../src/schedules/schedule-store.ts';
import { createManualClock } from '../jobs/clocks/manual-clock.ts';
import { settle } from '../jobs/jobs-fixture.ts';
import { createRun } from '../runs/create-run.ts';

const startMs = Date.parse('2026-11-25T00:00Z');
const teamId = 'T0ACME';

type ScheduledRequest = Parameters<Runner['runScheduled']>[0];

type ScheduleOptions = Partial<SchedulePlan> & { readonly vps?: string; readonly operation?: string };

/**
 * Creates processes with the real worker, the real job of schedules and the real executor. Runs, the
 * hosting service and Slack are simulated.
 */
async function createScheduleFixture() {
  const { db, close } = await openDatabase('sqlite::memory:');
  onTestFinished(close);
  const clock = createManualClock(startMs);
  const store = createScheduleStore(db);
  const catalogue = hostingOperations();
  const posted: string[] = [];
  const requestedNames: string[] = [];
  const runs = new Map<string, ReturnType<typeof createRun>>();
  const hooks = {
    findCreatorStanding: async (): Promise<CreatorStanding> => 'allowed',
    /** The run that a request becomes. */
    toRun: (_operation: string): object => ({
      status: 'done',
      settledMs: startMs,
      progress: null,
      result: { kind: 'outcome', outcome: { title: 'Rebooted.' } },
    }),
    /** What the hosting service answers to a process about a VPS, or about all if the name is empty. */
    readVps: async (_process: string, _vps: string): Promise<object> => ({ status: 'running' }),
    beforeFindRun: async (_process: string, _requestKey: string) => {},
  };

  function createProcess(name: string, processClock: Clock = clock) {
    const toText = ({ title, notes = [], table }: Outcome) =>
      [title, ...notes, ...(table?.rows.flat() ?? [])].join(' ');
    const call = async (_: unknown, { params }: { params?: { vps_name: string } }) => ({
      data: await hooks.readVps(name, params?.vps_name ?? ''),
    });
    const runner = {
      runScheduled: async ({ requestKey, operation, parsed }: ScheduledRequest) => {
        const { name: requested } = parsed.raw;
        if (typeof requested === 'string') requestedNames.push(requested);
        runs.set(requestKey, createRun(hooks.toRun(operation.name)));
        return { kind: 'outcome' };
      },
      deliver: async () => {},
    };
    const findByRequestKey = async (key: string) => {
      await hooks.beforeFindRun(name, key);
      return runs.get(key);
    };
    const jobs = createJobs({
      db,
      databaseClock: createLocalDatabaseClock(processClock),
      hasReplicas: true,
      maxSleepMs: 30_000,
      log: { warn() {}, error() {} },
    });
    jobs.define(
      createScheduleJob({
        store,
        executeOccurrence: createOccurrenceExecutor({
          store,
          snapshots: createSnapshotStore(db),
          runs: { findByRequestKey },
          runner: () => runner as never,
          catalogue: () => catalogue,
          hostingFor: () => ({ call }) as never,
          listVpsAliases: async () => new Map(),
          resolveAccess: async () => () => undefined,
          findCreatorStanding: () => hooks.findCreatorStanding(),
        }),
        postOutcome: async (_key, _to, outcome) => void posted.push(toText(outcome)),
        transact: (work) => db.transaction().execute(work),
        findCreatorStanding: () => hooks.findCreatorStanding(),
        runs: { addAuditEntry: async () => {} },
        listAdmins: async () => [],
        clock: processClock,
      }),
    );
    onTestFinished(() => jobs.stop(0));
    return jobs;
  }

  return {
    db,
    clock,
    store,
    posted,
    /** The names of the snapshots that were requested, in their order. */
    requestedNames,
    runs,
    hooks,
    createProcess,
    /** Adds a daily reboot at 01:00, an hour after the start. */
    async add(name: string, { vps = 'VPS-10001', operation = 'reboot', ...more }: ScheduleOptions = {}) {
      const act = { operation, input: {}, vps, title: 'Reboot', command: '', when: '' };
      const timing = { kind: 'day', at: '01:00', zone: 'UTC', quiet: [] } as const;
      const plan = { name, channel: 'C0OPS', act, timing, keep: null, announceMs: 0, ...more };
      return store.add({ teamId, userId: 'U0ALICE' }, plan, 'active', startMs);
    },
    async advance(ms: number, stepMs = 5_000) {
      for (const untilMs = clock.now() + ms; clock.now() < untilMs; )
        await clock.advanceTo(Math.min(untilMs, clock.now() + stepMs), settle);
    },
  };
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

test('an occurrence is announced although Slack did not say at first what its creator can view', async () => {
  const { hooks, posted, createProcess, add, advance } = await createScheduleFixture();
  await add('nightly', { announceMs: 10 * minuteMs });
  let callCount = 0;
  hooks.findCreatorStanding = async () => {
    callCount += 1;
    return callCount === 1 ? 'unknown' : 'allowed';
  };
  await createProcess('A').start();
  await advance(59 * minuteMs);
  expect(posted).toEqual(['⏰ Scheduled: Reboot']);
});

test('a skipped time is reported as skipped although Rackhand was down at that time', async () => {
  const { clock, posted, store, createProcess, add, advance } = await createScheduleFixture();
  const schedule = await add('nightly');
  await store.skip(schedule, startMs + hourMs, 'U0BOB');
  clock.jumpTo(startMs + 2 * hourMs);
  await createProcess('A').start();
  await advance(minuteMs);
  expect(posted).toEqual([expect.stringContaining('Skipped: Reboot')]);
  expect(await store.get(schedule.id)).toMatchObject({ nextMs: startMs + 25 * hourMs });
});

test('a clock that is set back does not begin an occurrence early', async () => {
  const { clock, posted, runs, createProcess, add, advance } = await createScheduleFixture();
  await add('nightly');
  const process = createProcess('A');
  await process.start();
  await advance(minuteMs);
  await process.stop(0);

  clock.jumpTo(startMs - hourMs);
  await createProcess('B').start();
  await advance(2 * hourMs - minuteMs, 5_000);
  expect({ posted, runs: runs.size }).toEqual({ posted: [], runs: 0 });
});

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

test('a denied target pauses the schedule, even if another target ends much later', async () => {
  const { posted, store, runs, hooks, createProcess, add, advance } = await createScheduleFixture();
  const { id } = await add('nightly', { vps: 'VPS-10001 VPS-10002' });
  const { toRun } = hooks;
  const problem = deniedProblem({ message: 'You have no right.', advice: 'Ask.' });
  const denied = { status: 'failed', settledMs: 0, progress: null, result: { kind: 'problem', problem } };
  const working = { status: 'sent', settledMs: null, progress: null, result: null };
  hooks.toRun = () => (runs.size === 0 ? denied : working);
  const process = createProcess('A');
  await process.start();
  await advance(hourMs + minuteMs);
  expect((await store.get(id))?.occurrence).toMatchObject({ targets: [{ step: 'done' }, { step: 'run' }] });
  await process.stop(0);

  for (const [key, run] of runs) if (key.includes('VPS-10002')) Object.assign(run, toRun('reboot'));
  await createProcess('B').start();
  await advance(minuteMs);
  expect(posted.join('\n')).toContain('Done for 1 of 2 VPS.');
  expect(await store.get(id)).toMatchObject({
    state: { kind: 'paused', reason: 'denied' },
    occurrence: null,
  });
});

test('a denied schedule is paused, although the database failed when its occurrence ended', async () => {
  const { db, posted, store, hooks, createProcess, add, advance } = await createScheduleFixture();
  const { id } = await add('nightly');
  const problem = deniedProblem({ message: 'You have no right.', advice: 'Ask.' });
  const result = { kind: 'problem', problem };
  hooks.toRun = () => ({ status: 'failed', settledMs: 0, progress: null, result });
  await sql`create trigger fail_pause before update on plan when new.state = 'paused'
    begin select raise(abort, 'disk full'); end`.execute(db);
  await createProcess('A').start();
  await advance(hourMs + 5_000);
  await sql`drop trigger fail_pause`.execute(db);

  await advance(5 * minuteMs);
  expect(posted.join('\n')).toContain('paused');
  expect(await store.get(id)).toMatchObject({
    state: { kind: 'paused', reason: 'denied' },
    occurrence: null,
    lastResult: { isOk: false },
  });
});

test('a schedule without another time ends, although its only target was denied', async () => {
  const { posted, store, hooks, createProcess, add, advance, clock } = await createScheduleFixture();
  const timing = { kind: 'once', atMs: clock.now() + hourMs, zone: 'UTC' } as const;
  const { id } = await add('once', { timing });
  const problem = deniedProblem({ message: 'You have no right.', advice: 'Ask.' });
  const result = { kind: 'problem', problem };
  hooks.toRun = () => ({ status: 'failed', settledMs: 0, progress: null, result });
  await createProcess('A').start();
  await advance(hourMs + minuteMs);
  expect(posted.join('\n')).not.toContain('paused');
  expect(await store.get(id)).toMatchObject({ state: { kind: 'ended' }, occurrence: null, nextMs: null });
});

test('a schedule that somebody takes over while its creator is looked up is not paused', async () => {
  const { posted, store, hooks, createProcess, add, advance, clock } = await createScheduleFixture();
  const { id } = await add('nightly');
  hooks.findCreatorStanding = async () => {
    hooks.findCreatorStanding = async () => 'allowed';
    const schedule = await store.get(id);
    if (!schedule) throw new Error('the schedule is gone');
    const decided = { createdBy: 'U0BOB', createdMs: schedule.createdMs + 1 };
    await store.edit(schedule, { ...schedule, ...decided }, clock.now());
    return 'left';
  };
  await createProcess('A').start();
  await advance(hourMs + minuteMs);
  expect(posted.join('\n')).not.toContain('paused');
  expect(await store.get(id)).toMatchObject({ state: { kind: 'active' }, createdBy: 'U0BOB' });
});

const vps = 'VPS-10001 VPS-10002';

/** Lets each call about VPS-10001 fail. */
function failFirst(code: 'not_found' | 'service_failed', otherAnswer: object) {
  return async (_process: string, name: string): Promise<object> => {
    if (name !== 'VPS-10001') return otherAnswer;
    throw new HostingError(code, 'The call failed.', { sendState: 'answered' });
  };
}

test.each([
  { code: 'not_found', endsAfterMs: minuteMs, text: "VPS-10001 couldn't be read, so nothing was done." },
  {
    code: 'service_failed',
    endsAfterMs: 20 * minuteMs,
    text: "nothing was done. VPS-10001 couldn't be read: The call failed.",
  },
] as const)('a VPS that fails with $code is reported, and the others are rebooted', async (given) => {
  const { posted, store, runs, hooks, createProcess, add, advance } = await createScheduleFixture();
  const { id } = await add('nightly', { vps });
  hooks.readVps = failFirst(given.code, { status: 'running' });
  await createProcess('A').start();
  await advance(hourMs + 30_000);
  expect([...runs.keys()]).toEqual([expect.stringContaining('VPS-10002')]);
  await advance(given.endsAfterMs);
  expect(posted.at(-1)).toContain('Done for 1 of 2 VPS.');
  expect(posted.at(-1)).toContain(given.text);
  expect(await store.get(id)).toMatchObject({ occurrence: null, lastResult: { isOk: false } });
});

test.each([
  { code: 'not_found', endsAfterMs: minuteMs },
  { code: 'service_failed', endsAfterMs: 2 * hourMs + 5 * minuteMs },
] as const)('a list of snapshots that fails with $code does not keep an occurrence open', async (given) => {
  const { posted, store, runs, requestedNames, hooks, createProcess, add, advance } =
    await createScheduleFixture();
  const keep = { hours: 0, days: 1, weeks: 0, months: 0, years: 0 };
  const { id } = await add('nightly', { operation: 'snapshot create', vps, keep });
  const list: typeof hooks.readVps = (process, name) => {
    const snapshots = requestedNames.map((one) => ({ name: one, status: 'available' }));
    return failFirst(given.code, { snapshots })(process, name);
  };
  // The states are read before the runs, and the snapshots after them.
  hooks.readVps = async (process, name) =>
    [...runs.keys()].some((key) => key.includes(name))
      ? list(process, name)
      : { status: 'running', snapshots: [] };
  await createProcess('A').start();
  await advance(hourMs + 30_000);
  expect([...runs.keys()]).toHaveLength(2);
  await advance(given.endsAfterMs, 5_000);
  expect(posted.at(-1)).toContain('Done for 1 of 2 VPS.');
  expect(await store.get(id)).toMatchObject({ occurrence: null, lastResult: { isOk: false } });
});

test.each([
  { code: 'permission_missing', endsAfterMs: minuteMs },
  { code: 'service_failed', endsAfterMs: 20 * minuteMs },
] as const)('a list of VPS that fails with $code is named as the reason', async (given) => {
  const { posted, store, hooks, createProcess, add, advance } = await createScheduleFixture();
  const { id } = await add('nightly', { vps: 'VPS-*' });
  hooks.readVps = async () => {
    throw new HostingError(given.code, 'The call failed.', { sendState: 'answered' });
  };
  await createProcess('A').start();
  await advance(hourMs + given.endsAfterMs, 5_000);
  const text = "The list of VPS couldn't be read, so nothing was done. The call failed.";
  expect(posted.at(-1)).toContain(text);
  expect(await store.get(id)).toMatchObject({ occurrence: null, lastResult: { isOk: false, text } });
});

const dayMs = 24 * hourMs;

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
