import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { BackupSettings } from '../config.ts';
import { backUpInProcess } from '../db/backup/backup-process.ts';
import type { PeriodicJob } from '../jobs/job-kind.ts';
import { dayMs } from '../time/units.ts';

const checkIntervalMs = 10 * 60_000;

/** Returns a backup file's name. Names sort by time. */
function nameBackup(timeMs: number): string {
  return `rackhand-${new Date(timeMs).toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`;
}

const namePattern = /^rackhand-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db$/;

/**
 * Creates the job that backs up the database once the newest backup is a day old. Does nothing if
 * `settings` is undefined. Deletes only old backups, which are recognized by their file names.
 */
export function createScheduledBackups({
  databaseUrl,
  settings,
  log,
}: {
  readonly databaseUrl: string;
  readonly settings: BackupSettings | undefined;
  readonly log: Pick<Logger, 'info' | 'error'>;
}): PeriodicJob {
  return {
    name: 'backup',
    intervalMs: checkIntervalMs,
    async run({ clock, signal }) {
      if (!settings) return;
      const { dir, keep } = settings;
      const nowMs = clock.now();
      const [newest] = await listBackups(dir);
      if (newest !== undefined && newest > nameBackup(nowMs - dayMs)) return;
      const file = join(dir, nameBackup(nowMs));
      try {
        await backUpInProcess(databaseUrl, file, signal);
      } catch (error) {
        log.error({ err: error, file }, 'the backup failed and will be tried again');
        throw error;
      }
      const deleted = await deleteOldBackups(dir, keep);
      log.info({ file, deleted }, 'the database was backed up');
    },
  };
}

/** Returns the backups' file names, newest first. */
async function listBackups(dir: string): Promise<readonly string[]> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  return (await readdir(dir))
    .filter((name) => namePattern.test(name))
    .toSorted()
    .reverse();
}

/** Deletes all but the newest backups. Returns how many were deleted. */
async function deleteOldBackups(dir: string, keep: number): Promise<number> {
  const old = (await listBackups(dir)).slice(keep);
  // SQLite creates the other two files if someone has opened a backup.
  for (const name of old.flatMap((file) => [file, `${file}-wal`, `${file}-shm`]))
    await rm(join(dir, name), { force: true });
  return old.length;
}
