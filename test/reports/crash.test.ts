import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { reportContent } from '../../src/reports/content.ts';
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { textOf } from '../stack.ts';
import { type CrashStage, createCrashStage, planSoon } from './crash-stage.ts';

let stage: CrashStage;
let directory: string;
let file: string;
let databaseUrl: string;

afterEach(async () => {
  await stage.close();
  rmSync(directory, { recursive: true });
});

/** Does something in the database, while no process has it. */
async function change(act: (db: Database) => Promise<unknown>): Promise<void> {
  const database = await openDatabase(databaseUrl);
  await act(database.db).finally(() => database.close());
}

/** The time of the report that has come to its end, while no process has the database. */
function endedDueMs(): unknown {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare('select ended_due from report').get();
  database.close();
  return row?.ended_due;
}

/** Starts everything around a report that is due in so many ms. */
async function stageReport(more: { mayReadHistory: boolean; vpsCount?: number }, vps: string, inMs: number) {
  directory = mkdtempSync(join(tmpdir(), 'rackhand-report-crash-'));
  file = join(directory, 'rackhand.db');
  databaseUrl = `sqlite:${file}`;
  stage = await createCrashStage({ databaseUrl, ...more });
  await change((db) => planSoon(db, 'Morning', vps, inMs));
}

const waiting = { timeout: 25_000, interval: 100 };
const memory = { when: 'before', sql: 'insert into "report_memory"' } as const;
const ends = 'update "report" set "claim" = ?, "lease_until" = ?, "attempts" = ?,';
const [end, ended] = [
  { when: 'before', sql: ends },
  { when: 'after', sql: ends },
] as const;
const dueMs = 12_000;

describe('a report whose process is killed between its post and its record', () => {
  test('is found by its metadata where the app may read the channel: it comes once, and its record is completed', async () => {
    await stageReport({ mayReadHistory: true }, 'VPS-10012', dueMs);
    await (await stage.start(memory)).gone;
    expect(await stage.posts('Morning')).toHaveLength(1);
    await (await stage.start(end)).gone;
    expect(endedDueMs()).toBeNull();
    await (await stage.start(ended)).gone;
    expect(endedDueMs()).not.toBeNull();
    const [post, ...more] = await stage.posts('Morning');
    expect(more).toEqual([]);
    expect(post && textOf(post)).not.toContain('repeat');
    expect(post && (await stage.repliesTo(post))).toHaveLength(1);
  }, 90_000);

  test('comes once more, marked as a possible repeat, where it may not', async () => {
    await stageReport({ mayReadHistory: false }, 'VPS-10012', dueMs);
    await (await stage.start(memory)).gone;
    await (await stage.start(ended)).gone;
    expect(endedDueMs()).not.toBeNull();
    const posts = await stage.posts('Morning');
    expect(posts.map((post) => textOf(post).includes('This may be a repeat'))).toEqual([false, true]);
  }, 90_000);
});

describe('a report whose process ends while it is collected', () => {
  const isCollecting = async () =>
    (await stage.service.calls()).filter(({ path }) => path.includes('/monitoring/')).length >= 30;

  test.each(['kill', 'stop'] as const)(
    'by a %s comes when the next begins it anew, once',
    async (way) => {
      await stageReport({ mayReadHistory: false, vpsCount: 40 }, '*', dueMs);
      const first = await stage.start();
      await expect.poll(isCollecting, waiting).toBe(true);
      if (way === 'kill') await first.kill();
      // It waits for the quota, for a minute.
      else expect(await first.stop()).toBeLessThan(10_000);
      expect(await stage.posts('Morning')).toEqual([]);
      expect(endedDueMs()).toBeNull();

      // A minute passes.
      await change((db) => db.deleteFrom('quota_call').execute());
      const content = JSON.stringify(reportContent.parse({ vps: 'VPS-10012', vpsCount: 1, settings: {} }));
      await change((db) => db.updateTable('report').set({ content }).execute());
      await (await stage.start(ended)).gone;
      expect(endedDueMs()).not.toBeNull();
      expect(await stage.posts('Morning')).toHaveLength(1);
    },
    90_000,
  );
});
