import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import { wasSetBack } from '../time/age.ts';
import { type Attempt, startAttempt } from './attempt.ts';
import type { Clock } from './clock.ts';
import type { DatabaseClock } from './database-clock.ts';
import { findDueStatus, listDueJobs } from './due-jobs.ts';
import { createJobCounts, type SetAsideJobs } from './job-counts.ts';
import type { JobKind } from './job-kind.ts';
import { createJobQueue, type JobQueue, toStoredJob } from './job-queue.ts';
import { createJobStore } from './job-store.ts';
import { type PeriodicJob, toPeriodicKind } from './periodic-job.ts';
import { createPollLoop } from './poll-loop.ts';
import { createTurns } from './turns.ts';

/** Events of jobs, for the metrics. */
export interface JobEvents {
  /** `latenessMs` is how long after its due time the job was claimed. */
  started(kind: string, latenessMs: number): void;
  /** The job was taken over from a process that has lost its lease. */
  adopted(kind: string): void;
  retried(kind: string): void;
  setAside(kind: string): void;
}

/** The number of jobs of each kind. */
export interface JobCounts {
  readonly due: ReadonlyMap<string, number>;
  /** The number of jobs that run in this process. */
  readonly running: ReadonlyMap<string, number>;
  readonly setAside: readonly SetAsideJobs[];
}

interface JobsDependencies {
  readonly db: Database;
  readonly databaseClock: DatabaseClock;
  /** Whether several replicas share the database. */
  readonly hasReplicas: boolean;
  readonly events?: JobEvents;
  /** Longest sleep between two polls. */
  readonly maxSleepMs?: number;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** The background work of all kinds: one table, one worker, one lease, one clock. */
export interface Jobs {
  /** The database's time. */
  readonly clock: Clock;
  /** Adds a kind. The worker runs the jobs of all kinds that were added before it started. */
  define<Payload>(kind: JobKind<Payload>): JobQueue<Payload>;
  definePeriodic(job: PeriodicJob): void;
  /** Starts claiming jobs. Resolves when the first ones have started. */
  start(): Promise<void>;
  /**
   * Starts no more jobs, and waits for at most `graceMs` until the running jobs have ended. Jobs
   * that still run are released, so that another process can continue them at once.
   */
  stop(graceMs: number): Promise<void>;
  count(): Promise<JobCounts>;
}

/** With replicas, this is how long it can take to notice a job that another process has released. */
const replicaSleepMs = 2_000;
const defaultSleepMs = 60_000;

const checkIntervalMs = 5 * 60_000;
/** How long after a failed check it is repeated. Jobs are claimed in the meantime. */
const checkRetryMs = 30_000;

/** Pause between the end of a job and the next one of a backlog. */
const backlogPauseMs = 50;

export function createJobs(dependencies: JobsDependencies): Jobs {
  const { db, databaseClock, hasReplicas, events, log } = dependencies;
  const { maxSleepMs = hasReplicas ? replicaSleepMs : defaultSleepMs } = dependencies;
  const { clock } = databaseClock;
  const store = createJobStore(db, databaseClock);
  const counts = createJobCounts(db, databaseClock);
  const kinds = new Map<string, JobKind<unknown>>();
  /** The running attempts by token. */
  const attempts = new Map<string, Attempt>();
  const stopping = new AbortController();
  const turns = createTurns();
  const reportedKinds = new Set<string>();
  let nextCheckMs = 0;
  let lastPollMs = 0;
  let cancelRenewal: (() => void) | undefined;
  /** Whether some due jobs had to wait for a running job. */
  let hasBacklog = false;

  const groupRunning = () => Map.groupBy(attempts.values(), ({ job }) => job.kind);

  /** Returns how many jobs were started. */
  async function claimDue(): Promise<number> {
    let startedCount = 0;
    const running = groupRunning();
    const capacities = [...kinds.values()]
      .map(({ name, concurrency: { perProcess, perWorkspace } }) => {
        return { kind: name, free: perProcess - (running.get(name)?.length ?? 0), perWorkspace };
      })
      .filter(({ free }) => free > 0);
    const listed = capacities.length === 0 ? [] : await listDueJobs(db, databaseClock, capacities);
    // A clock that jumps ahead ends the leases of this process's own jobs.
    const runningKeys = new Set([...attempts.values()].map(({ job }) => toJobKey(job)));
    const due = listed.filter((job) => !runningKeys.has(toJobKey(job)));
    const byKind = Map.groupBy(due, ({ kind }) => kind);
    const chosen = capacities.flatMap((one) => turns.choose(byKind.get(one.kind) ?? [], one));
    for (const { kind: name, id, isAbandoned } of chosen) {
      const kind = kinds.get(name);
      if (stopping.signal.aborted || !kind) continue;
      const job = await store.claim(name, id, kind.leaseMs);
      if (!job) continue;
      events?.started(name, Math.max(0, job.claimedMs - job.dueMs));
      if (isAbandoned) events?.adopted(name);
      const attempt = startAttempt(
        {
          store,
          clock,
          stopping: stopping.signal,
          onRetry: () => events?.retried(name),
          onSetAside: () => events?.setAside(name),
          log,
        },
        kind,
        job,
      );
      attempts.set(job.token, attempt);
      startedCount += 1;
      renewLater();
      void attempt.ended.then((nextMs) => {
        attempts.delete(job.token);
        // After a pause, because many short jobs can end together.
        if (hasBacklog) loop.wakeAt(clock.now() + backlogPauseMs);
        else if (nextMs !== undefined) loop.wakeAt(nextMs);
      });
    }
    return startedCount;
  }

  /** Reads which jobs are due, and compares the clocks. */
  async function lookAhead(kindNames: readonly string[]) {
    const askedAtMs = performance.now();
    const status = await findDueStatus(db, databaseClock, kindNames);
    databaseClock.synchronize(status.nowMs, performance.now() - askedAtMs);
    return status;
  }

  const loop = createPollLoop({
    clock,
    maxSleepMs,
    async poll() {
      const isSetBack = wasSetBack(lastPollMs, clock.now());
      lastPollMs = clock.now();
      if (isSetBack || lastPollMs >= nextCheckMs) await check();
      // Asked before jobs are claimed, so that a job that becomes due in between isn't missed.
      const { dueCount, nextMs } = await lookAhead([...kinds.keys()]);
      hasBacklog = false;
      if (!databaseClock.isRight()) return Number.POSITIVE_INFINITY;
      // Already true while jobs are claimed, because a short one can end before the others have begun.
      hasBacklog = dueCount > 0;
      if (hasBacklog) hasBacklog = dueCount > (await claimDue());
      return nextMs ?? Number.POSITIVE_INFINITY;
    },
    onError: (error) => log.error({ err: error }, "can't poll for background jobs; retrying"),
  });

  /** Checks the jobs of all kinds, and logs kinds that this version doesn't know. */
  async function check(): Promise<void> {
    nextCheckMs = clock.now() + checkRetryMs;
    const failures = new Map<string, unknown>();
    // A kind that fails doesn't hold up the others.
    for (const kind of kinds.values())
      await checkKind(kind).catch((error: unknown) => failures.set(kind.name, error));
    for (const { kind, count, ids } of await counts.listUnknown([...kinds.keys()])) {
      if (!reportedKinds.has(kind))
        log.error({ job: kind, count, jobIds: ids }, 'jobs of an unknown kind are not run');
      reportedKinds.add(kind);
    }
    const [failure] = failures.values();
    if (failures.size === 0) nextCheckMs = clock.now() + checkIntervalMs;
    else log.error({ err: failure, jobs: [...failures.keys()] }, "can't check jobs of all kinds; retrying");
  }

  /** Creates missing jobs of a kind. Corrects jobs that a wrong clock has scheduled. */
  async function checkKind({ name, maxAheadMs, leaseMs, listMissing, soon }: JobKind<unknown>) {
    for (const job of (await listMissing?.()) ?? []) await store.add(toStoredJob(name, job));
    const claims = await store.shortenClaims(name, leaseMs);
    if (claims > 0)
      log.warn({ job: name, count: claims }, 'the clock was set back: the claims of jobs were shortened');
    let count = maxAheadMs === undefined ? 0 : await store.correctTimes(name, maxAheadMs);
    if (soon) count += await store.correctTimes(name, soon.maxAheadMs, await soon.listIds());
    if (count > 0)
      log.warn(
        { job: name, count },
        'jobs were due too far ahead, probably because the clock was set back; they run now',
      );
  }

  /** Renews all leases of this process until no job is running. */
  function renewLater(): void {
    if (attempts.size === 0 || cancelRenewal) return;
    const shortestLeaseMs = Math.min(...[...kinds.values()].map(({ leaseMs }) => leaseMs));
    cancelRenewal = clock.setTimer(clock.now() + shortestLeaseMs / 3, () => {
      void renew()
        .catch((error) => log.warn({ err: error }, "can't renew the leases of jobs"))
        .finally(() => {
          cancelRenewal = undefined;
          renewLater();
        });
    });
  }

  async function renew(): Promise<void> {
    const runningByKind = groupRunning();
    for (const { name, leaseMs } of kinds.values()) {
      const running = runningByKind.get(name) ?? [];
      if (running.length === 0) continue;
      const held = await store.renew(
        running.map(({ job }) => job.token),
        leaseMs,
      );
      for (const attempt of running) if (!held.has(attempt.job.token)) attempt.abandon();
    }
  }

  function define<Payload>(kind: JobKind<Payload>): JobQueue<Payload> {
    kinds.set(kind.name, kind);
    return createJobQueue({ store, kind, wake: loop.wake });
  }

  return {
    clock,
    define,
    definePeriodic: (job) => void define(toPeriodicKind(job)),
    async start() {
      await lookAhead([]);
      // No other process can be alive, so all claims belong to processes that have ended.
      if (!hasReplicas) await store.releaseAll();
      await loop.start();
    },
    async stop(graceMs) {
      stopping.abort(new Error('Rackhand is stopping'));
      const ended = loop.stop().then(() => Promise.all([...attempts.values()].map((one) => one.ended)));
      const untilGraceEnds = new Promise((resolve) => void setTimeout(resolve, graceMs).unref());
      await Promise.race([ended, untilGraceEnds]);
      cancelRenewal?.();
      const rest = [...attempts.values()];
      for (const attempt of rest) attempt.abandon();
      if (rest.length === 0) return;
      try {
        await store.release(rest.map(({ job }) => job));
        log.warn({ count: rest.length }, 'running jobs were handed to the next process');
      } catch (error) {
        // Other parts still have to stop. The leases of the jobs end soon.
        log.error({ err: error, count: rest.length }, "can't release the running jobs");
      }
    },
    async count() {
      const running = groupRunning();
      return {
        due: await counts.countDue(),
        running: new Map([...running].map(([kind, those]) => [kind, those.length])),
        setAside: [...(await counts.listSetAside()), ...(await counts.listUnknown([...kinds.keys()]))],
      };
    },
  };
}

function toJobKey({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return `${kind} ${id}`;
}
