import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createScheduledBackups } from '../../src/app/scheduled-backups.ts';
import { openDatabase } from '../../src/db/engines/database.ts';
import { seedEveryTable } from '../db/backup/seed-store.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';

const directory = makeScratchDirectory('scheduled-backups');
const log = pino({ level: 'silent' });

/** Runs the job at the given time. */
async function runAt(time: string, databaseUrl: string, dir: string): Promise<void> {
  const job = createScheduledBackups({ databaseUrl, settings: { dir, keep: 2 }, log });
  await job.run({ clock: { now: () => Date.parse(time) }, signal: new AbortController().signal } as never);
}

test('a backup is made when the newest is a day old, and the newest ones are kept', async () => {
  const databaseUrl = `sqlite:${join(directory, 'used.db')}`;
  const dir = join(directory, 'backups');
  const { db, close } = await openDatabase(databaseUrl);
  await seedEveryTable(db, 3);

  await runAt('2026-11-20T03:00:00Z', databaseUrl, dir);
  await runAt('2026-11-21T02:59:00Z', databaseUrl, dir);
  const [first = ''] = readdirSync(dir);
  expect(readdirSync(dir)).toEqual(['rackhand-2026-11-20T03-00-00Z.db']);
  expect(statSync(join(dir, first)).mode & 0o777).toBe(0o600);
  const copy = new DatabaseSync(join(dir, first), { readOnly: true });
  expect(copy.prepare('select count(*) as count from run').get()).toEqual({ count: 3 });
  copy.close();

  writeFileSync(join(dir, 'mine.db'), 'not a backup');
  await runAt('2026-11-21T03:00:00Z', databaseUrl, dir);
  await runAt('2026-11-22T03:10:00Z', databaseUrl, dir);
  expect(readdirSync(dir).toSorted()).toEqual([
    'mine.db',
    'rackhand-2026-11-21T03-00-00Z.db',
    'rackhand-2026-11-22T03-10-00Z.db',
  ]);
  await close();
});

test('a failed backup says why, and deletes nothing', async () => {
  const dir = join(directory, 'kept');
  mkdirSync(dir);
  const old = ['rackhand-2020-01-01T00-00-00Z.db', 'rackhand-2020-01-02T00-00-00Z.db'];
  for (const name of [...old, 'rackhand-2020-01-03T00-00-00Z.db']) writeFileSync(join(dir, name), '');
  const missing = `sqlite:${join(directory, 'missing.db')}`;
  await expect(runAt('2026-11-20T03:00:00Z', missing, dir)).rejects.toThrow("missing.db can't be copied");
  expect(readdirSync(dir)).toHaveLength(3);
});
