import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { describeStorage } from './suite.ts';

describeStorage('SQLite', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-sqlite-'));
  return {
    url: `sqlite:${join(directory, 'nested', 'rackhand.db')}`,
    async stop() {
      rmSync(directory, { recursive: true });
    },
  };
});

test('an SQLite file is held by one process at a time, and free again after it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-sqlite-'));
  const url = `sqlite:${join(directory, 'rackhand.db')}`;
  const first = await openDatabase(url);
  await expect(openDatabase(url)).rejects.toMatchObject({ code: 'setting_invalid' });
  await first.close();
  await (await openDatabase(url)).close();
  rmSync(directory, { recursive: true });
});
