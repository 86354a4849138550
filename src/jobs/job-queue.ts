import type { Database } from '../db/database.ts';
import type { JobKind } from './job-kind.ts';
import type { JobStore } from './job-store.ts';

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

/** Schedules the jobs of one kind. Each change can be part of a transaction. */
export interface JobQueue<Payload> {
  /** Schedules a job, or replaces it. An attempt in progress is abandoned. */
  schedule(job: NewJob<Payload>, transaction?: Database): Promise<void>;
  /** Schedules a job, or brings it forward. If it is running, it runs once more afterwards. */
  ensure(job: NewJob<Payload>, transaction?: Database): Promise<void>;
  /** Deletes a job. An attempt in progress is abandoned. */
  cancel(id: string, transaction?: Database): Promise<void>;
  cancelWorkspace(teamId: string, transaction?: Database): Promise<void>;
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
  kind: { name, payload: schema },
  wake,
}: JobQueueDependencies<Payload>): JobQueue<Payload> {
  const toStoredJob = ({ id, teamId = '', userId = '', payload, dueMs }: NewJob<Payload>) => ({
    kind: name,
    id,
    teamId,
    userId,
    payload: JSON.stringify(payload),
    dueMs,
  });
  return {
    async schedule(job, transaction) {
      await store.schedule(toStoredJob(job), transaction);
      if (!transaction) wake();
    },
    async ensure(job, transaction) {
      await store.ensure(toStoredJob(job), transaction);
      if (!transaction) wake();
    },
    cancel: (id, transaction) => store.cancel(name, id, transaction),
    cancelWorkspace: (teamId, transaction) => store.cancelWorkspace(name, teamId, transaction),
    async findPayload(id) {
      const text = await store.findPayload(name, id);
      return text === undefined ? undefined : schema.safeParse(JSON.parse(text)).data;
    },
    wake,
  };
}
