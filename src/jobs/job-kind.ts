import { z } from 'zod';
import type { Database } from '../db/engines/database.ts';
import type { Clock } from './clock.ts';

/** A job as it is passed to its handler. */
export interface Job<Payload> {
  /** Unique in its kind. */
  readonly id: string;
  /** Empty for a job of the whole installation. */
  readonly teamId: string;
  readonly payload: Payload;
  /** When the job was planned to start. */
  readonly dueMs: number;
  /** Counts from 1. Starts over after the job has succeeded. */
  readonly attempt: number;
  /** Identifies this claim. A write with this token fails after the lease was lost. */
  readonly token: string;
}

export interface JobContext {
  /** Aborts when this process stops, or when it has lost the lease. */
  readonly signal: AbortSignal;
  /** The database's time. */
  readonly clock: Clock;
}

/** How an attempt ended, and what happens to the job. Times are the database's. */
export type JobResult<Payload> =
  /** Deletes the job, unless it was scheduled again during the attempt. */
  | { readonly kind: 'done' }
  /** Runs the job again at `atMs`. Keeps the payload if there is no new one. */
  | { readonly kind: 'repeat'; readonly atMs: number; readonly payload?: Payload }
  /** Postpones work that has not begun. Doesn't count as an attempt. */
  | { readonly kind: 'wait'; readonly atMs: number }
  /** Retries work that failed. `attempts` is how many attempts count; by default, all. */
  | { readonly kind: 'retry'; readonly atMs: number; readonly attempts?: number };

/** A job to schedule. */
export interface NewJob<Payload> {
  /** Unique in its kind, such as the ID of the report. */
  readonly id: string;
  /** Left out for a job of the whole installation. */
  readonly teamId?: string;
  /** The person whom the job is about. Erasing that person deletes it. */
  readonly userId?: string;
  readonly payload: Payload;
  /** In the database's time. Defaults to now. */
  readonly dueMs?: number;
}

/** A kind of background work. */
export interface JobKind<Payload> {
  /** Also the value of the label `kind` in the metrics. */
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** The pause after the first failure. It doubles with each further one. */
  readonly retry: { readonly firstMs: number; readonly maxMs: number };
  /** How many jobs run at the same time in a process. */
  readonly concurrency: number;
  /**
   * How far in the future a job can be due. One that is due later runs at once, because a clock that was
   * ahead has chosen its time. Without it, such a job waits.
   */
  readonly maxWaitMs?: number;
  /**
   * Returns the jobs that must exist, at least the missing ones. The worker creates those at the
   * start and regularly.
   */
  listMissing?(): Promise<readonly NewJob<Payload>[]>;
  /** If the handler throws, the job is retried. */
  handle(job: Job<Payload>, context: JobContext): Promise<JobResult<Payload>>;
}

/** Schedules the jobs of one kind. Each change can be part of a transaction. */
export interface JobQueue<Payload> {
  /** Schedules a job, or replaces it. An attempt in progress is abandoned. */
  schedule(job: NewJob<Payload>, transaction?: Database): Promise<void>;
  /**
   * Schedules a job. If it waits for a later time, it becomes due at this one. If it is running, it runs
   * once more afterwards.
   */
  ensure(job: NewJob<Payload>, transaction?: Database): Promise<void>;
  /** Deletes a job. An attempt in progress is abandoned. */
  cancel(id: string, transaction?: Database): Promise<void>;
  /** Returns the payload of a job; undefined if there is no such job, or if it is unreadable. */
  findPayload(id: string): Promise<Payload | undefined>;
  /** Looks for due jobs at once. Needed only after a transaction. */
  wake(): void;
}

/** Returns how long to wait after this many failed attempts. */
export function retryDelayMs(
  { retry: { firstMs, maxMs } }: Pick<JobKind<unknown>, 'retry'>,
  attempts: number,
): number {
  return Math.min(firstMs * 2 ** Math.max(0, attempts - 1), maxMs);
}

/** Work for the whole installation that is repeated, by one process at a time. */
export interface PeriodicJob {
  readonly name: string;
  readonly intervalMs: number;
  /** If it throws, it is retried after a minute, and then less often. */
  run(context: JobContext): Promise<void>;
}

export const emptyPayload = z.object({});

/** Makes a kind of job that always exists. Its first run is at the first start of Rackhand. */
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
