import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import { isUnreadableRow } from '../db/row-reader.ts';
import { wasSetBack } from '../time/age.ts';
import { type Clock, waitFor } from './clock.ts';
import { type DatabaseClock, maxSkewMs } from './database-clock.ts';
import {
  type JobKind,
  type JobQueue,
  type JobResult,
  type NewJob,
  type PeriodicJob,
  retryDelayMs,
  toPeriodicKind,
} from './job-kind.ts';
import {
  type ClaimedJob,
  createJobStore,
  type DeadLetteredJobs,
  leaseMs,
  type StoredJob,
} from './job-store.ts';

/** Job events, for the metrics. */
export interface JobEvents {
  /** `latenessMs` is the time from the job's due time to its claim. */
  started(kind: string, latenessMs: number): void;
  retried(kind: string): void;
  deadLettered(kind: string): void;
}

export interface JobCounts {
  readonly due: ReadonlyMap<string, number>;
  readonly running: ReadonlyMap<string, number>;
  readonly deadLettered: readonly DeadLetteredJobs[];
}

interface JobsDependencies {
  readonly db: Database;
  readonly databaseClock: DatabaseClock;
  /** Whether several replicas share the database. */
  readonly hasReplicas: boolean;
  readonly events?: JobEvents;
  /** Maximum sleep between two polls. */
  readonly maxSleepMs?: number;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** Background jobs of all kinds, in one table with one polling loop and one clock. */
export interface Jobs {
  /** The database's time. */
  readonly clock: Clock;
  /** Adds a kind of job. Call it before `start`. */
  define<Payload>(kind: JobKind<Payload>): JobQueue<Payload>;
  definePeriodic(job: PeriodicJob): void;
  /** Starts claiming jobs. Resolves after the first poll. */
  start(): Promise<void>;
  /**
   * Stops claiming jobs, and waits up to `graceMs` for running ones to end. Releases jobs that are still
   * running, so another process can continue them at once.
   */
  stop(graceMs: number): Promise<void>;
  count(): Promise<JobCounts>;
}

/** One attempt at a job by this process. */
interface Attempt {
  readonly job: ClaimedJob;
  /** Aborted once another process has claimed the job, or it was scheduled again. */
  readonly lost: AbortController;
  readonly ended: Promise<void>;
}

/** Maximum sleep with replicas. A job released by another process can go unnoticed for this long. */
const replicaSleepMs = 2_000;
const defaultSleepMs = 60_000;

/** Pause after a failed poll. */
const failureDelayMs = 5_000;

const checkIntervalMs = 5 * 60_000;
/** Pause before a failed check is retried. Jobs are claimed in the meantime. */
const checkRetryMs = 30_000;

/** Pause before the next poll when a job ends and there's a backlog, because many short jobs can end together. */
const backlogPauseMs = 50;

/** How long a job that can't run stays dead-lettered. By then, a newer version may be able to run the job. */
const deadLetterMs = 60 * 60_000;

/** Maximum number of retries for saving a result, and the pause between them. */
const maxSaveAttempts = 30;
const saveRetryMs = 1_000;

export function createJobs(dependencies: JobsDependencies): Jobs {
  const { db, databaseClock, hasReplicas, events, log } = dependencies;
  const { maxSleepMs = hasReplicas ? replicaSleepMs : defaultSleepMs } = dependencies;
  const { clock } = databaseClock;
  const store = createJobStore(db, databaseClock);
  const kinds = new Map<string, JobKind<unknown>>();
  const attempts = new Map<string, Attempt>();
  /** Kinds at their concurrency limit, which may have more due jobs. */
  const fullKinds = new Set<string>();
  const reportedKinds = new Set<string>();
  const stopping = new AbortController();
  let working: Promise<void> | undefined;
  let wake = () => {};
  let nextPollMs = Number.POSITIVE_INFINITY;
  let cancelPoll = () => {};
  let cancelRenewal: (() => void) | undefined;
  let nextCheckMs = 0;
  let lastPollMs = 0;
  let [isFailing, isSkewed] = [false, false];

  const attemptsOf = (kind: string) => [...attempts.values()].filter(({ job }) => job.kind === kind);

  /** Schedules a poll at `atMs`, or after the maximum sleep, unless an earlier poll is scheduled. */
  function wakeAt(atMs: number): void {
    const limitedMs = Math.min(atMs, clock.now() + maxSleepMs);
    if (limitedMs >= nextPollMs) return;
    cancelPoll();
    nextPollMs = limitedMs;
    if (limitedMs <= clock.now()) wake();
    else cancelPoll = clock.setTimer(limitedMs, () => wake());
  }

  /** Polls whenever there may be work to do, until the process stops. */
  async function work(onPolled: () => void): Promise<void> {
    while (!stopping.signal.aborted) {
      const { promise: woken, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      cancelPoll();
      nextPollMs = Number.POSITIVE_INFINITY;
      wakeAt(await pollSafely());
      onPolled();
      if (!stopping.signal.aborted) await woken;
    }
    cancelPoll();
    wake = () => {};
  }

  async function pollSafely(): Promise<number> {
    try {
      const nextMs = await poll();
      isFailing = false;
      return nextMs;
    } catch (error) {
      if (!isFailing) log.error({ err: error }, "can't poll for background jobs; retrying");
      isFailing = true;
      return clock.now() + failureDelayMs;
    }
  }

  /** Starts the due jobs. Returns when the next one is due. */
  async function poll(): Promise<number> {
    if (wasSetBack(lastPollMs, clock.now())) {
      log.warn(
        { byMs: lastPollMs - clock.now() },
        'the clock was set back: waiting jobs run that much later',
      );
    }
    lastPollMs = clock.now();
    if (lastPollMs >= nextCheckMs) await check();
    // Looks ahead before claiming, so a job that becomes due in between isn't missed.
    const { nextMs, dueKinds } = await lookAhead();
    fullKinds.clear();
    for (const name of dueKinds) {
      const kind = kinds.get(name);
      if (kind && !stopping.signal.aborted) await claimDue(kind);
    }
    return nextMs ?? Number.POSITIVE_INFINITY;
  }

  /** Finds out which jobs are due, and compares the clocks. */
  async function lookAhead() {
    const askedAtMs = performance.now();
    const ahead = await store.lookAhead([...kinds.values()]);
    databaseClock.synchronize(ahead.nowMs, performance.now() - askedAtMs);
    const skewMs = Math.round(databaseClock.skewMs());
    const isFarOff = Math.abs(skewMs) > maxSkewMs;
    if (isFarOff && !isSkewed)
      log.warn(
        { skewMs },
        "the machine's clock differs from the database's: calls to the hosting service wait until it is corrected",
      );
    isSkewed = isFarOff;
    return ahead;
  }

  async function claimDue(kind: JobKind<unknown>): Promise<void> {
    const { name, concurrency } = kind;
    const free = concurrency - attemptsOf(name).length;
    const claimed = free > 0 ? await store.claim(kind, free, [...attempts.keys()]) : [];
    if (claimed.length >= free) fullKinds.add(name);
    for (const job of claimed) begin(kind, job);
  }

  function begin(kind: JobKind<unknown>, job: ClaimedJob): void {
    events?.started(kind.name, Math.max(0, job.claimedMs - job.dueMs));
    const lost = new AbortController();
    const ended = attemptJob(kind, job, lost.signal).then(
      (nextMs) => {
        attempts.delete(job.token);
        if (fullKinds.has(kind.name)) wakeAt(clock.now() + backlogPauseMs);
        else if (nextMs !== undefined) wakeAt(nextMs);
      },
      (error: unknown) => {
        attempts.delete(job.token);
        if (!lost.signal.aborted) log.error({ err: error, ...namesOf(job) }, "can't save how a job ended");
      },
    );
    attempts.set(job.token, { job, lost, ended });
    renewLater();
  }

  /** Runs a job and saves its result. Returns when the job can be claimed next, if known. */
  async function attemptJob(
    kind: JobKind<unknown>,
    job: ClaimedJob,
    lost: AbortSignal,
  ): Promise<number | undefined> {
    const signal = AbortSignal.any([stopping.signal, lost]);
    const payload = parsePayload(kind, job.payload);
    if (!payload) return deadLetter(job, 'unreadable payload');
    const result = await handle(kind, job, payload.value, signal);
    if (lost.aborted) return undefined;
    if (result === 'unreadable') return deadLetter(job, 'unreadable row');
    if (result !== 'interrupted') return saveWithRetry(job, result, lost);
    await store.release([job]);
    return undefined;
  }

  async function handle(
    kind: JobKind<unknown>,
    job: ClaimedJob,
    payload: unknown,
    signal: AbortSignal,
  ): Promise<JobResult<unknown> | 'interrupted' | 'unreadable'> {
    try {
      // The process may have stopped since the job was claimed.
      signal.throwIfAborted();
      return await kind.handle({ ...job, payload }, { signal, clock });
    } catch (error) {
      if (signal.aborted) return 'interrupted';
      if (isUnreadableRow(error)) return 'unreadable';
      log.error({ err: error, ...namesOf(job) }, 'a job failed and will be retried');
      return { kind: 'retry', atMs: clock.now() + retryDelayMs(kind, job.attempt) };
    }
  }

  /** Retries during a short database outage, even while this process is stopping. */
  async function saveWithRetry(
    job: ClaimedJob,
    result: JobResult<unknown>,
    lost: AbortSignal,
  ): Promise<number | undefined> {
    for (let left = maxSaveAttempts; ; left -= 1) {
      try {
        return await save(job, result);
      } catch (error) {
        if (left === 0) throw error;
        if (left === maxSaveAttempts)
          log.warn({ err: error, ...namesOf(job) }, "can't save how a job ended yet");
        await waitFor(clock, saveRetryMs, lost);
      }
    }
  }

  async function deadLetter(job: ClaimedJob, reason: string): Promise<undefined> {
    log.error({ ...namesOf(job), reason }, 'a job was dead-lettered for an hour');
    events?.deadLettered(job.kind);
    await store.deadLetter(job, reason, deadLetterMs);
  }

  async function save(job: ClaimedJob, result: JobResult<unknown>): Promise<number | undefined> {
    if (result.kind === 'done') return (await store.finish(job)) ? clock.now() : undefined;
    const { atMs } = result;
    if (result.kind === 'repeat') {
      const payload = result.payload === undefined ? undefined : JSON.stringify(result.payload);
      return store.reschedule(job, { atMs, attempts: 0, payload });
    }
    if (result.kind === 'wait') return store.reschedule(job, { atMs, attempts: job.attempt - 1 });
    events?.retried(job.kind);
    return store.reschedule(job, { atMs, attempts: result.attempts ?? job.attempt });
  }

  /** Creates missing jobs of all kinds, and logs kinds that this version doesn't know. */
  async function check(): Promise<void> {
    nextCheckMs = clock.now() + checkRetryMs;
    const failures = new Map<string, unknown>();
    for (const { name, listMissing } of kinds.values()) {
      try {
        for (const job of (await listMissing?.()) ?? []) await store.add(toStoredJob(name, job));
      } catch (error) {
        // If one kind fails, the others continue.
        failures.set(name, error);
      }
    }
    for (const { kind, count, ids } of await store.listUnknown([...kinds.keys()])) {
      if (!reportedKinds.has(kind))
        log.error({ job: kind, count, jobIds: ids }, 'jobs of an unknown kind are not run');
      reportedKinds.add(kind);
    }
    const [failure] = failures.values();
    if (failures.size === 0) nextCheckMs = clock.now() + checkIntervalMs;
    else log.error({ err: failure, jobs: [...failures.keys()] }, "can't check jobs of all kinds; retrying");
  }

  /** Renews all leases of this process until no job is running. */
  function renewLater(): void {
    if (attempts.size === 0 || cancelRenewal) return;
    cancelRenewal = clock.setTimer(clock.now() + leaseMs / 3, () => {
      void renew()
        .catch((error) => log.warn({ err: error }, "can't renew the leases of jobs"))
        .finally(() => {
          cancelRenewal = undefined;
          renewLater();
        });
    });
  }

  async function renew(): Promise<void> {
    const running = [...attempts.values()];
    if (running.length === 0) return;
    const held = await store.renew(running.map(({ job }) => job.token));
    for (const { job, lost } of running) if (!held.has(job.token)) abandon(lost);
  }

  function define<Payload>(kind: JobKind<Payload>): JobQueue<Payload> {
    const { name } = kind;
    kinds.set(name, kind);
    const wakeAfter = (transaction: Database | undefined) => {
      if (!transaction) wake();
    };
    return {
      async schedule(job, transaction) {
        await store.schedule(toStoredJob(name, job), transaction);
        wakeAfter(transaction);
      },
      async ensure(job, transaction) {
        await store.ensure(toStoredJob(name, job), transaction);
        wakeAfter(transaction);
      },
      cancel: (id, transaction) => store.cancel(name, id, transaction),
      async findPayload(id) {
        const text = await store.findPayload(name, id);
        return text === undefined ? undefined : parsePayload(kind, text)?.value;
      },
      wake: () => wake(),
    };
  }

  return {
    clock,
    define,
    definePeriodic: (job) => void define(toPeriodicKind(job)),
    async start() {
      await lookAhead();
      // No other process can be alive, so all claims are left over from processes that have ended.
      if (!hasReplicas) await store.releaseAll();
      const { promise: polled, resolve } = Promise.withResolvers<void>();
      working = work(resolve);
      await polled;
    },
    async stop(graceMs) {
      stopping.abort(new Error('Rackhand is stopping'));
      wake();
      const ended = Promise.resolve(working).then(() =>
        Promise.all([...attempts.values()].map((attempt) => attempt.ended)),
      );
      const untilGraceEnds = new Promise((resolve) => void setTimeout(resolve, graceMs).unref());
      await Promise.race([ended, untilGraceEnds]);
      cancelRenewal?.();
      const rest = [...attempts.values()];
      for (const { lost } of rest) abandon(lost);
      if (rest.length === 0) return;
      try {
        await store.release(rest.map(({ job }) => job));
        log.warn({ count: rest.length }, 'running jobs were handed to the next process');
      } catch (error) {
        // Not rethrown, because other parts still have to stop. The jobs' leases expire soon.
        log.error({ err: error, count: rest.length }, "can't release the running jobs");
      }
    },
    async count() {
      const running = Map.groupBy(attempts.values(), ({ job }) => job.kind);
      return {
        due: await store.countDue(),
        running: new Map([...running].map(([kind, those]) => [kind, those.length])),
        deadLettered: [...(await store.listDeadLettered()), ...(await store.listUnknown([...kinds.keys()]))],
      };
    },
  };
}

function abandon(lost: AbortController): void {
  lost.abort(new Error('the job was scheduled again, or another process has claimed it'));
}

function namesOf({ kind, id }: ClaimedJob) {
  return { job: kind, jobId: id };
}

function toStoredJob<Payload>(
  kind: string,
  { id, teamId = '', userId = '', payload, dueMs }: NewJob<Payload>,
): StoredJob {
  return { kind, id, teamId, userId, payload: JSON.stringify(payload), dueMs };
}

/** Returns undefined for a payload that this version can't read. */
function parsePayload<Payload>(
  kind: Pick<JobKind<Payload>, 'payload'>,
  text: string,
): { readonly value: Payload } | undefined {
  try {
    return { value: kind.payload.parse(JSON.parse(text)) };
  } catch {
    return undefined;
  }
}
