import { z } from 'zod';
import type { Database } from '../db/engines/database.ts';
import type { Clock } from './clock.ts';

/** A job as passed to its handler. */
export interface Job<Payload> {
  /** Unique within the kind. */
  readonly id: string;
  /** Empty for an installation-wide job. */
  readonly teamId: string;
  readonly payload: Payload;
  /** When the job was planned to start. */
  readonly dueMs: number;
  /** Counts from 1, and starts over once the job has succeeded. */
  readonly attempt: number;
  /** Identifies this claim. Writes with this token fail once the lease is lost. */
  readonly token: string;
}

export interface JobContext {
  /** Aborts when this process stops or loses the lease. */
  readonly signal: AbortSignal;
  /** The database's time. */
  readonly clock: Clock;
}

/** How an attempt ended, and what happens to the job next. Times are database times. */
export type JobResult<Payload> =
  /** Deletes the job, unless it was scheduled again during the attempt. */
  | { readonly kind: 'done' }
  /** Runs the job again at `atMs`, with the new payload if there is one. */
  | { readonly kind: 'repeat'; readonly atMs: number; readonly payload?: Payload }
  /** Postpones work that hasn't begun. Doesn't count as an attempt. */
  | { readonly kind: 'wait'; readonly atMs: number }
  /** Retries failed work. `attempts` is the number of attempts that count; by default, all. */
  | { readonly kind: 'retry'; readonly atMs: number; readonly attempts?: number };

export interface NewJob<Payload> {
  /** Unique within the kind, such as the report's ID. */
  readonly id: string;
  /** Omitted for an installation-wide job. */
  readonly teamId?: string;
  /** The person the job is about. Erasing the person deletes the job. */
  readonly userId?: string;
  readonly payload: Payload;
  /** In database time. Defaults to now. */
  readonly dueMs?: number;
}

export interface JobKind<Payload> {
  /** Also the value of the `kind` label in the metrics. */
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** `firstMs` is the delay after the first failure. The delay doubles with each further failure, up to `maxMs`. */
  readonly retry: { readonly firstMs: number; readonly maxMs: number };
  /** Maximum number of jobs that run at once in a process. */
  readonly concurrency: number;
  /**
   * Maximum time until a job is due. A job that's due even later runs at once, because a clock that was
   * ahead must have set its due time. By default, there's no limit.
   */
  readonly maxWaitMs?: number;
  /**
   * Returns the jobs that must exist, or at least the missing ones. The worker creates missing jobs at
   * startup and regularly after that.
   */
  listMissing?(): Promise<readonly NewJob<Payload>[]>;
  /** If the handler throws, the job is retried. */
  handle(job: Job<Payload>, context: JobContext): Promise<JobResult<Payload>>;
}

/** Schedules jobs of one kind. Each change can be part of a transaction. */
export interface JobQueue<Payload> {
  /** Schedules a job, or replaces it. An attempt in progress is abandoned. */
  schedule(job: NewJob<Payload>, transaction?: Database): Promise<void>;
  /**
   * Schedules a job. A job that's already waiting is moved up to `dueMs`, but never postponed. A running
   * job runs once more afterwards.
   */
  ensure(job: NewJob<Payload>, transaction?: Database): Promise<void>;
  /** Deletes a job. An attempt in progress is abandoned. */
  cancel(id: string, transaction?: Database): Promise<void>;
  /** Returns a job's payload, or undefined if there is no such job or the payload is unreadable. */
  findPayload(id: string): Promise<Payload | undefined>;
  /** Polls for due jobs at once. Needed only after jobs were scheduled in a transaction, which doesn't start a poll. */
  wake(): void;
}

/** Returns the delay before a retry, in ms, after the given number of failed attempts. */
export function retryDelayMs(
  { retry: { firstMs, maxMs } }: Pick<JobKind<unknown>, 'retry'>,
  attempts: number,
): number {
  return Math.min(firstMs * 2 ** Math.max(0, attempts - 1), maxMs);
}

/** Installation-wide work that runs repeatedly, in only one process at a time. */
export interface PeriodicJob {
  readonly name: string;
  readonly intervalMs: number;
  /** If it throws, the job is retried after a minute, and then less often. */
  run(context: JobContext): Promise<void>;
}

export const emptyPayload = z.object({});

/**
 * Returns a job kind for periodic work. Its single job always exists, and first runs when Rackhand is
 * first started.
 */
export function toPeriodicKind({
  name,
  intervalMs,
  run,
}: PeriodicJob): JobKind<z.infer<typeof emptyPayload>> {
  return {
    name,
    payload: emptyPayload,
    listMissing: async () => [{ id: name, payload: {} }],
    retry: { firstMs: 60_000, maxMs: 60 * 60_000 },
    concurrency: 1,
    async handle({ dueMs }, context) {
      await run(context);
      context.signal.throwIfAborted();
      const nowMs = context.clock.now();
      const nextMs = dueMs + intervalMs;
      return { kind: 'repeat', atMs: nextMs > nowMs ? nextMs : nowMs + intervalMs };
    },
  };
}
