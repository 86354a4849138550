import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/engines/database.ts';
import { childEnvironment } from '../child-environment.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';

const directory = makeScratchDirectory('tools');

afterAll(() => rmSync(directory, { recursive: true }));

const missing = join(directory, 'missing.db');

function runTool(tool: string, databaseFile: string, ...values: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${tool}.ts`, ...values], {
    encoding: 'utf8',
    env: {
      ...childEnvironment,
      DATABASE_URL: `sqlite:${databaseFile}`,
      ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64'),
    },
  });
  return { status, stdout, stderr: stderr.trim() };
}

test('a tool does not take a database that is missing for an empty one', () => {
  const stderr = `There is no database file ${missing}. Check DATABASE_URL.`;
  expect(runTool('rekey', missing)).toEqual({ status: 1, stdout: '', stderr });
  expect(existsSync(missing)).toBe(false);
});

test('migrate-store names the argument of a database that does not answer', async () => {
  const source = `sqlite:${join(directory, 'source.db')}`;
  await (await openDatabase(source)).close();
  const { stderr } = runTool('migrate-store', missing, source, 'postgres://me:hunter2@127.0.0.1:1/db');
  expect(stderr).toBe("The database at TO can't be used (ECONNREFUSED).");
});

test('a tool prints its usage, and no stack', () => {
  const { status, stderr } = runTool('workspaces', missing, '--bogus');
  expect(status).toBe(1);
  expect(stderr).toContain('Usage:');
  expect(stderr).not.toMatch(/^ +at /m);
});

test('a backup names the folder that it cannot write to', async () => {
  const source = join(directory, 'backed-up.db');
  await (await openDatabase(`sqlite:${source}`)).close();
  // Nobody can create files there.
  expect(runTool('backup', source, '/proc/backup.db').stderr).toBe(
    `${source} can't be copied to the folder /proc: the file or its folder can't be opened or created.`,
  );
});

test('a tool says that Rackhand has to be stopped first', async () => {
  const file = join(directory, 'in-use.db');
  const { close } = await openDatabase(`sqlite:${file}`);
  const { stderr } = runTool('rekey', file);
  await close();
  expect(stderr).toBe(
    `The database file ${file} can't be used: another process has it open. Stop Rackhand first.`,
  );
});
