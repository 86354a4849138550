import type { Database } from '../db/engines/database.ts';
import { type JobKind, type NewJob, parsePayload } from './job-kind.ts';
import type { JobStore, StoredJob } from './job-store.ts';

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

interface JobQueueDependencies<Payload> {
  readonly store: JobStore;
  readonly kind: JobKind<Payload>;
  readonly wake: () => void;
}

export function createJobQueue<Payload>({
  store,
  kind,
  wake,
}: JobQueueDependencies<Payload>): JobQueue<Payload> {
  const { name } = kind;
  return {
    async schedule(job, transaction) {
      await store.schedule(toStoredJob(name, job), transaction);
      if (!transaction) wake();
    },
    async ensure(job, transaction) {
      await store.ensure(toStoredJob(name, job), transaction);
      if (!transaction) wake();
    },
    cancel: (id, transaction) => store.cancel(name, id, transaction),
    async findPayload(id) {
      const text = await store.findPayload(name, id);
      return text === undefined ? undefined : parsePayload(kind, text)?.value;
    },
    wake,
  };
}

export function toStoredJob<Payload>(
  kind: string,
  { id, teamId = '', userId = '', payload, dueMs }: NewJob<Payload>,
): StoredJob {
  return { kind, id, teamId, userId, payload: JSON.stringify(payload), dueMs };
}
