import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/engines/database.ts';
import { childEnvironment } from '../child-environment.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';

const directory = makeScratchDirectory('broken-disk');

/** Runs a module in a process whose files can't get larger than this. SQLite then can't write. */
function runWithFileLimit(kibibytes: number, module: string): string {
  const command = `ulimit -f ${kibibytes * 2}; exec "$0" --input-type=module --eval "$1"`;
  const { stdout } = spawnSync('/bin/sh', ['-c', command, process.execPath, module], {
    encoding: 'utf8',
    env: childEnvironment,
  });
  return stdout.trim();
}

const openHere = (url: string) => `
  import { isDatabaseAway, openDatabase } from ${JSON.stringify(import.meta.resolve('../../src/db/engines/database.ts'))};
  const open = () => openDatabase(${JSON.stringify(url)});
`;

test('a migration that the disk interrupts names the reason, and the next start repeats it', async () => {
  const file = join(directory, 'interrupted.db');
  const output = runWithFileLimit(
    50,
    `${openHere(`sqlite:${file}`)} await open().catch(({ message }) => console.log(message));`,
  );
  expect(output).toBe(`The database file ${file} can't be used: the disk reported an error.`);
  await (await openDatabase(`sqlite:${file}`)).close();
});

test('a transaction that the disk ends fails with the reason of the disk', async () => {
  const url = `sqlite:${join(directory, 'transaction.db')}`;
  await (await openDatabase(url)).close();
  const output = runWithFileLimit(
    100,
    `${openHere(url)}
    const { db } = await open();
    const values = { name: 'n', secret_jwe: 'x'.repeat(500_000) };
    const write = (trx) => trx.insertInto('instance_secret').values(values).execute();
    await db.transaction().execute(write).catch((error) => console.log(isDatabaseAway(error)));
    process.exit();`,
  );
  expect(output).toBe('true');
});
