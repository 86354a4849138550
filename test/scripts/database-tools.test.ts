import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { expect, test, vi } from 'vitest';
import { runTool, withStoredDatabase } from '../../scripts/run-tool.ts';
import { backUp, migrateStore } from '../../src/db/backup/backup.ts';
import { openDatabase } from '../../src/db/engines/database.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';

const directory = makeScratchDirectory('tools');
const newFile = (name: string) => join(directory, `${name}.db`);

/** Runs what a tool does, which fails, and returns what it prints. The settings name this database. */
async function failureOf(databaseFile: string, run: () => Promise<unknown>): Promise<string> {
  vi.stubEnv('DATABASE_URL', `sqlite:${databaseFile}`);
  vi.stubEnv('ENCRYPTION_KEYS', Buffer.alloc(32, 1).toString('base64'));
  const print = vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    await runTool('Usage: npm run tool', async () => void (await run()));
    expect(process.exitCode).toBe(1);
    return print.mock.calls.flat().join('\n');
  } finally {
    process.exitCode = undefined;
    print.mockRestore();
    vi.unstubAllEnvs();
  }
}

const openStored = () => withStoredDatabase(async () => {});

test('a tool does not take a database that is missing for an empty one', async () => {
  const missing = newFile('missing');
  expect(await failureOf(missing, openStored)).toBe(
    `There is no database file ${missing}. Check DATABASE_URL.`,
  );
  expect(existsSync(missing)).toBe(false);
});

test('a tool says that Rackhand has to be stopped first', async () => {
  const file = newFile('in-use');
  const { close } = await openDatabase(`sqlite:${file}`);
  expect(await failureOf(file, openStored)).toBe(
    `The database file ${file} can't be used: another process has it open. Stop Rackhand first.`,
  );
  await close();
});

test('a copy names the database that does not answer, and the folder that it cannot write to', async () => {
  const file = newFile('source');
  const source = `sqlite:${file}`;
  await (await openDatabase(source)).close();
  expect(await failureOf(file, () => migrateStore(source, 'postgres://me:hunter2@127.0.0.1:1/db'))).toBe(
    "The database at TO can't be used (ECONNREFUSED).",
  );
  // Nobody can create files there.
  expect(await failureOf(file, () => backUp(source, '/proc/backup.db'))).toBe(
    `${file} can't be copied to the folder /proc: the file or its folder can't be opened or created.`,
  );
});

test('a tool prints its usage, and no stack', async () => {
  const printed = await failureOf(newFile('unused'), async () =>
    parseArgs({ args: ['--bogus'], options: {} }),
  );
  expect(printed).toContain('Usage: npm run tool');
  expect(printed).not.toMatch(/^ +at /m);
});
