import { rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { openDatabase } from '../../../src/db/engines/database.ts';
import { createRunStore } from '../../../src/runs/store/run-store.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { createRun } from '../create-run.ts';
import { testVault } from '../test-vault.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('the claim of a change is on the disk when it resolves; that of a read does not wait', async () => {
  const directory = makeScratchDirectory('claims');
  const database = await openDatabase(`sqlite:${join(directory, 'rackhand.db')}`);
  try {
    const runs = createRunStore(database.db, testVault);
    const lease = { owner: 'one', untilMs: 1_000 };
    const handle = await open(directory);
    const prototype: FileHandle = Object.getPrototypeOf(handle);
    await handle.close();
    const sync = vi.spyOn(prototype, 'datasync');
    expect(await runs.claim(createRun({ id: 'read' }), 'read', lease, { isRead: true })).toBe(true);
    expect(sync).toHaveBeenCalledTimes(0);
    expect(await runs.claim(createRun({ id: 'change' }), 'change', lease)).toBe(true);
    expect(sync).toHaveBeenCalledTimes(1);
  } finally {
    await database.close();
    rmSync(directory, { recursive: true });
  }
});
