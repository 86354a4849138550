import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { secretSettings } from '../../src/config/secret-files.ts';
import type { Config } from '../../src/config.ts';
import { sqliteFileOf } from '../../src/db/engines/database.ts';
import { type CheckLine, createLines } from './check-line.ts';

const mebibyte = 1024 * 1024;

/** Free space that the checks ask for. */
interface DiskLimits {
  /** Below this, SQLite soon can't write. */
  readonly minBytes: number;
  readonly recommendedBytes: number;
}

const defaultLimits: DiskLimits = { minBytes: 100 * mebibyte, recommendedBytes: 1024 * mebibyte };

/** Checks the free space of the folders that Rackhand writes to. */
export function* checkDisk(config: Config, limits: DiskLimits = defaultLimits): Generator<CheckLine> {
  const { ok, warning, error } = createLines('disk');
  for (const directory of listDirectories(config)) {
    if (!existsSync(directory)) continue;
    const { bavail, bsize } = statfsSync(directory);
    const free = bavail * bsize;
    const size = `${Math.floor(free / mebibyte).toLocaleString('en')} MiB are free in ${directory}`;
    if (free >= limits.recommendedBytes) yield ok(`${size}.`);
    else yield (free < limits.minBytes ? error : warning)(`Only ${size}. Free some space.`);
  }
}

/** Checks that only this user can read the database and the files of secrets. */
export function* checkFileModes(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Generator<CheckLine> {
  const { ok, warning } = createLines('file modes');
  const files = [databaseFile(config), ...secretSettings.map((name) => env[`${name}_FILE`]?.trim())].filter(
    (file): file is string => Boolean(file) && existsSync(file ?? ''),
  );
  const open = files.filter((file) => (statSync(file).mode & 0o007) !== 0);
  for (const file of open)
    yield warning(`Every user of this machine can use ${file}. Run chmod o-rwx on it.`);
  if (open.length === 0) yield ok('Other users can read neither the database nor files of secrets.');
}

function databaseFile({ databaseUrl }: Config): string | undefined {
  const file = sqliteFileOf(databaseUrl);
  return file === ':memory:' ? undefined : file;
}

function listDirectories(config: Config): ReadonlySet<string> {
  const file = databaseFile(config);
  const directories = [file && dirname(file), config.backups?.dir];
  return new Set(directories.filter((directory): directory is string => Boolean(directory)));
}
