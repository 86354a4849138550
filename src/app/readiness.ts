import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AppSettings } from '../config.ts';
import { pingDatabase, sqliteFileOf } from '../db/engines/database.ts';
import { createReadiness, type Part, type Readiness } from '../http/health.ts';
import { maxSkewMs } from '../jobs/database-clock.ts';
import type { Slack } from '../slack/slack.ts';
import type { Infrastructure } from './infrastructure.ts';

/** Minimum free disk space for the database. If less is free, the readiness check reports a problem. */
const minFreeBytes = 100 * 1024 * 1024;

export function createAppReadiness(
  { db, databaseClock, serviceBreaker }: Pick<Infrastructure, 'db' | 'databaseClock' | 'serviceBreaker'>,
  slack: Pick<Slack, 'isReady'>,
  { databaseUrl }: Pick<AppSettings, 'databaseUrl'>,
): Readiness {
  const file = sqliteFileOf(databaseUrl);
  const hasFile = file !== undefined && file !== ':memory:';
  const disk: Part = { isRequired: false, check: () => findDiskProblem(dirname(file ?? '')) };
  return createReadiness({
    database: {
      isRequired: true,
      async check() {
        await pingDatabase(db);
        return undefined;
      },
    },
    clock: {
      isRequired: true,
      check: () =>
        Math.abs(databaseClock.skewMs()) <= maxSkewMs
          ? undefined
          : `the machine's clock ${formatSkew(databaseClock.skewMs())}`,
    },
    ...(hasFile && { disk }),
    slack: {
      isRequired: true,
      check: () => (slack.isReady() ? undefined : 'there is no open connection'),
    },
    service: { isRequired: false, check: serviceBreaker.findProblem },
  });
}

async function findDiskProblem(directory: string): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize < minFreeBytes ? 'less than 100 MB is free for the database' : undefined;
}

function formatSkew(skewMs: number): string {
  const side = skewMs > 0 ? 'ahead of' : 'behind';
  return `is ${Math.abs(Math.round(skewMs / 1_000))} s ${side} the database's`;
}
