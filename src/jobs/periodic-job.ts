import { z } from 'zod';
import { defaultLeaseMs, type JobContext, type JobKind } from './job-kind.ts';

/** Work for the whole installation that is repeated, by one process at a time. */
export interface PeriodicJob {
  readonly name: string;
  readonly intervalMs: number;
  /** If it throws, it is retried after a minute, and then less often. */
  run(context: JobContext): Promise<void>;
}

export const emptyPayload = z.object({});

const retry = { firstMs: 60_000, maxMs: 60 * 60_000 };

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
    leaseMs: defaultLeaseMs,
    retry,
    concurrency: { perProcess: 1, perWorkspace: 1 },
    maxAheadMs: Math.max(intervalMs, retry.maxMs),
    async handle({ dueMs }, context) {
      await run(context);
      context.signal.throwIfAborted();
      const nowMs = context.clock.now();
      const nextMs = dueMs + intervalMs;
      return { kind: 'repeat', atMs: nextMs > nowMs ? nextMs : nowMs + intervalMs };
    },
  };
}
