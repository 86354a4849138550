import { onTestFinished } from 'vitest';
import type { CreatorStanding } from '../../src/auth/creator-standing.ts';
import { openDatabase } from '../../src/db/engines/database.ts';
import type { Clock } from '../../src/jobs/clock.ts';
import { createLocalDatabaseClock } from '../../src/jobs/database-clock.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import type { Outcome } from '../../src/operations/define/outcome.ts';
import { hostingOperations } from '../../src/operations/hosting-operations.ts';
import type { Runner } from '../../src/runs/runner.ts';
import { createOccurrenceExecutor } from '../../src/schedules/execution/execute-occurrence.ts';
import type { SchedulePlan } from '../../src/schedules/schedule.ts';
import { createScheduleJob } from '../../src/schedules/schedule-job.ts';
import { createScheduleStore, createSnapshotStore } from '../../src/schedules/schedule-store.ts';
import { createManualClock } from '../jobs/clocks/manual-clock.ts';
import { settle } from '../jobs/jobs-fixture.ts';
import { createRun } from '../runs/create-run.ts';

export const startMs = Date.parse('2026-11-25T00:00Z');
const teamId = 'T0ACME';

type ScheduledRequest = Parameters<Runner['runScheduled']>[0];

type ScheduleOptions = Partial<SchedulePlan> & { readonly vps?: string; readonly operation?: string };

/**
 * Creates processes with the real worker, the real job of schedules and the real executor. Runs, the
 * hosting service and Slack are simulated.
 */
export async function createScheduleFixture() {
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
