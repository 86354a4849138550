import type { Database } from '../../db/engines/database.ts';
import type { PeriodicJob } from '../../jobs/periodic-job.ts';
import type { AuditChain } from './audit-chain.ts';
import { type AuditStream, streamEntries } from './audit-streams.ts';

const intervalMs = 60_000;

interface SealingDependencies {
  readonly db: Database;
  readonly chain: Pick<AuditChain, 'seal'>;
  readonly streams: readonly AuditStream[];
}

/** Creates the job that adds settled runs to the hash chain every minute, and streams them. */
export function createSealing({ db, chain, streams }: SealingDependencies): PeriodicJob {
  return {
    name: 'audit-sealing',
    intervalMs,
    async run({ clock }) {
      await chain.seal(db, clock.now());
      if (streams.length > 0) await streamEntries(db, streams, clock.now());
    },
  };
}
