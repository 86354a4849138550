import type { z } from 'zod';
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
  /** The person who waits for the job. People of a workspace take turns. */
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
  /** How long a process counts as alive after it has last renewed the lease. */
  readonly leaseMs: number;
  /** The pause after the first failure. It doubles with each further one. */
  readonly retry: { readonly firstMs: number; readonly maxMs: number };
  /** How many jobs run at the same time in a process, and in a workspace. */
  readonly concurrency: { readonly perProcess: number; readonly perWorkspace: number };
  /**
   * How far ahead a job of this kind can be scheduled. A wrong clock has scheduled a job that is
   * further ahead, so the job runs at once. By default, there is no limit.
   */
  readonly maxAheadMs?: number;
  /** The jobs of this kind that have a shorter limit. */
  readonly soon?: { readonly maxAheadMs: number; listIds(): Promise<readonly string[]> };
  /**
   * Returns the jobs that must exist, at least the missing ones. The worker creates those at the
   * start and regularly.
   */
  listMissing?(): Promise<readonly NewJob<Payload>[]>;
  /** If the handler throws, the job is retried. */
  handle(job: Job<Payload>, context: JobContext): Promise<JobResult<Payload>>;
}

/** How long the renewal of a lease can fail before another process takes over. */
export const defaultLeaseMs = 30_000;

/** Returns how long to wait after this many failed attempts. */
export function retryDelayMs(
  { retry: { firstMs, maxMs } }: Pick<JobKind<unknown>, 'retry'>,
  attempts: number,
): number {
  return Math.min(firstMs * 2 ** Math.max(0, attempts - 1), maxMs);
}

/** Returns undefined for a payload that this version can't read. */
export function parsePayload<Payload>(
  kind: Pick<JobKind<Payload>, 'payload'>,
  text: string,
): { readonly value: Payload } | undefined {
  try {
    return { value: kind.payload.parse(JSON.parse(text)) };
  } catch {
    return undefined;
  }
}
