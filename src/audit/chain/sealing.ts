import type { Database } from '../../db/engines/database.ts';
import type { PeriodicJob } from '../../jobs/job-kind.ts';
import type { AuditChain } from './audit-chain.ts';
import { type AuditStream, streamEntries } from './audit-streams.ts';

const intervalMs = 60_000;

/** Creates the job that adds settled runs to the hash chain every minute. */
export function createSealing(db: Database, chain: Pick<AuditChain, 'seal'>): PeriodicJob {
  return {
    name: 'audit-sealing',
    intervalMs,
    run: async ({ clock }) => void (await chain.seal(db, clock.now())),
  };
}

/**
 * Creates the job that streams sealed entries every minute. It is separate from sealing, so the two are
 * retried independently. Without a stream, the job does nothing, but still exists so that a job stored by
 * an earlier start isn't dead-lettered.
 */
export function createStreaming(db: Database, stream: AuditStream | undefined): PeriodicJob {
  return {
    name: 'audit-streaming',
    intervalMs,
    async run({ clock }) {
      if (stream) await streamEntries(db, stream, clock.now());
    },
  };
}
