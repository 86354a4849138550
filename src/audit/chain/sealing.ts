import type { Database } from '../../db/engines/database.ts';
import type { PeriodicJob } from '../../jobs/job-kind.ts';
import type { AuditChain } from './audit-chain.ts';

const intervalMs = 60_000;

/** Creates the job that adds settled runs to the hash chain every minute. */
export function createSealing(db: Database, chain: Pick<AuditChain, 'seal'>): PeriodicJob {
  return {
    name: 'audit-sealing',
    intervalMs,
    run: async ({ clock }) => void (await chain.seal(db, clock.now())),
  };
}
