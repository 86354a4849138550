import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../src/db/engines/database.ts';
import { withoutSync } from '../../src/db/engines/durability.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';

let directory: string;
let database: OpenDatabase;
/** Syncs that were requested from the disk. Each one ends when the test says so. */
let syncs: (() => void)[];
let isDiskStalled: boolean;

beforeEach(async () => {
  directory = makeScratchDirectory('durability');
  database = await openDatabase(`sqlite:${join(directory, 'rackhand.db')}`);
  syncs = [];
  isDiskStalled = true;
  const handle = await open(directory);
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  vi.spyOn(prototype, 'datasync').mockImplementation(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (isDiskStalled) syncs.push(resolve);
    else resolve();
    return promise;
  });
});

afterEach(async () => {
  for (const finish of syncs) finish();
  vi.restoreAllMocks();
  await database.close();
  rmSync(directory, { recursive: true });
});

/** Inserts a row of the smallest table. */
const insert = (key: string, db = database.db) =>
  db.insertInto('instance_secret').values({ name: key, secret_jwe: '' }).execute();

const list = async () =>
  (await database.db.selectFrom('instance_secret').select('name').execute()).map((row) => row.name);

/** Resolves to whether the promise is fulfilled when everything that can run has run. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  await list();
  return done;
}

test('a write resolves when it is on the disk, and reads go on meanwhile', async () => {
  const write = insert('first');
  await expect.poll(() => syncs.length).toBe(1);
  expect(await list()).toEqual(['first']);
  expect(await isDone(write)).toBe(false);
  syncs[0]?.();
  await write;
});

test('writes that arrive during a sync share the next one', async () => {
  const first = insert('first');
  await expect.poll(() => syncs.length).toBe(1);
  const others = Promise.all(['a', 'b', 'c'].map((key) => insert(key)));
  expect(await list()).toHaveLength(4);
  syncs[0]?.();
  await first;
  await expect.poll(() => syncs.length).toBe(2);
  expect(await isDone(others)).toBe(false);
  syncs[1]?.();
  await others;
  expect(syncs).toHaveLength(2);
});

test('a transaction is on the disk when it resolves, and one that changes nothing needs no sync', async () => {
  const changed = database.db.transaction().execute((transaction) => insert('first', transaction));
  await expect.poll(() => syncs.length).toBe(1);
  expect(await isDone(changed)).toBe(false);
  syncs[0]?.();
  await changed;
  await database.db
    .transaction()
    .execute((transaction) => transaction.selectFrom('run').select('id').execute());
  await database.db.updateTable('run').set({ title: '' }).where('id', '=', 'none').execute();
  expect(syncs).toHaveLength(1);
});

test('a write that need not survive a power failure waits for no sync', async () => {
  await insert('first', withoutSync(database.db));
  expect(await list()).toEqual(['first']);
  expect(syncs).toEqual([]);
});

test('a failed sync fails the writes that waited for it, and no later ones', async () => {
  vi.spyOn(Object.getPrototypeOf(await openAnything()), 'datasync').mockRejectedValueOnce(new Error('EIO'));
  await expect(insert('first')).rejects.toThrow('EIO');
  isDiskStalled = false;
  await insert('second');
});

const openAnything = async () => {
  const handle = await open(directory);
  await handle.close();
  return handle;
};

test('a script that only writes ends when everything is written', async () => {
  isDiskStalled = false;
  const [program, file] = ['write-and-end.ts', 'script.db'];
  const script = spawn(
    process.execPath,
    [join(import.meta.dirname, program), `sqlite:${join(directory, file)}`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [output, [exitCode]] = await Promise.all([text(script.stdout), once(script, 'exit')]);
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: 'done\n' });
});
