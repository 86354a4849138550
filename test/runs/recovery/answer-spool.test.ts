import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAnswerSpool } from '../../../src/runs/recovery/answer-spool.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { testVault } from '../test-vault.ts';

let scratch: string;
let logged: string[];
beforeEach(() => {
  scratch = makeScratchDirectory('answers');
  logged = [];
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(scratch, { recursive: true });
});

/** Logs each line as its level, run, reason and message. */
const log = pino(
  {},
  {
    write(line) {
      const { level, runId, reason, msg } = JSON.parse(line);
      logged.push([level >= 50 ? 'error' : 'warn', runId, reason, msg].filter(Boolean).join(' '));
    },
  },
);
const createSpool = (dir: string | undefined) => createAnswerSpool({ dir, vault: testVault, log });

test('an answer is kept in an encrypted file until it is removed', async () => {
  const dir = join(scratch, 'answers');
  const spool = createSpool(dir);
  expect(await spool.list()).toEqual([]);
  await spool.save({ runId: 'one', data: { password: 'secret-value' } });
  await spool.save({ runId: 'two', data: null });
  expect(logged).toEqual([
    expect.stringMatching(/^warn one .*kept in a file/),
    expect.stringMatching(/^warn two .*kept in a file/),
  ]);
  expect(readdirSync(dir)).toEqual(['one.answer', 'two.answer']);
  expect(readFileSync(join(dir, 'one.answer'), 'utf8')).not.toContain('secret-value');
  expect([statSync(dir).mode & 0o777, statSync(join(dir, 'one.answer')).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  const next = createSpool(dir);
  expect((await next.list()).toSorted((a, b) => a.runId.localeCompare(b.runId))).toEqual([
    { runId: 'one', data: { password: 'secret-value' } },
    { runId: 'two', data: null },
  ]);
  await next.remove('one');
  await next.remove('one');
  expect(await next.list()).toEqual([{ runId: 'two', data: null }]);
});

test('an answer is on the disk before its file has its name', async () => {
  const handle = await open(scratch);
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const filesAtSync: string[][] = [];
  const { sync } = prototype;
  vi.spyOn(prototype, 'sync').mockImplementation(function (this: FileHandle) {
    filesAtSync.push(readdirSync(scratch));
    return sync.call(this);
  });
  await createSpool(scratch).save({ runId: 'one', data: 1 });
  expect(filesAtSync).toEqual([['one.answer.new']]);
  expect(readdirSync(scratch)).toEqual(['one.answer']);
});

test('a file that is damaged or belongs to another run is left out and reported', async () => {
  const spool = createSpool(scratch);
  await spool.save({ runId: 'whole', data: 1 });
  const text = readFileSync(join(scratch, 'whole.answer'), 'utf8');
  writeFileSync(join(scratch, 'moved.answer'), text);
  writeFileSync(join(scratch, 'damaged.answer'), randomBytes(20));
  writeFileSync(join(scratch, 'half.answer.new'), text);
  writeFileSync(join(scratch, 'notes.txt'), text);
  logged = [];
  expect(await spool.list()).toEqual([{ runId: 'whole', data: 1 }]);
  expect(logged.toSorted()).toEqual([
    'error damaged the stored answer to a run could not be read',
    'error moved the stored answer to a run could not be read',
  ]);
});

test('an answer that cannot be kept is reported', async () => {
  const lost = 'the answer to a run is lost if this process ends before the database is back';
  const spool = createSpool(undefined);
  await spool.save({ runId: 'one', data: 1 });
  await spool.remove('one');
  expect(await spool.list()).toEqual([]);
  writeFileSync(join(scratch, 'file'), '');
  await createSpool(join(scratch, 'file')).save({ runId: 'two', data: 1 });
  expect(logged).toEqual([
    `error one SPOOL_DIR is not set ${lost}`,
    expect.stringMatching(/^error two E\w+: .*the answer to a run is lost/),
  ]);
});
