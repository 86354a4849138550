import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/db/engines/database.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { blocksText } from '../../stack.ts';
import { addReportDueIn, type CrashFixture, createCrashFixture } from './crash-fixture.ts';

let stage: CrashFixture;
let directory: string;
let file: string;
let databaseUrl: string;

afterEach(async () => {
  await stage.close();
  rmSync(directory, { recursive: true });
});

/** Changes the database while no process uses it. */
async function change(act: (db: Database) => Promise<unknown>): Promise<void> {
  const database = await openDatabase(databaseUrl);
  await act(database.db).finally(() => database.close());
}

/** Returns the last finished occurrence, while no process uses the database. */
function lastFinishedDueMs(): unknown {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare('select last_due_at from report').get();
  database.close();
  return row?.last_due_at;
}

/** Starts everything with a report due in this many ms. */
async function setUpReport(more: { mayReadHistory: boolean; vpsCount?: number }, vps: string, inMs: number) {
  directory = makeScratchDirectory('report-crash');
  file = join(directory, 'rackhand.db');
  databaseUrl = `sqlite:${file}`;
  stage = await createCrashFixture({ databaseUrl, ...more });
  await change((db) => addReportDueIn(db, 'Morning', vps, inMs));
}
const memory = { when: 'before', sql: 'insert into "report_baseline"' } as const;
const ends = 'update "report" set "last_due_at" = ?,';
const [end, ended] = [
  { when: 'before', sql: ends },
  { when: 'after', sql: ends },
] as const;
/** Long enough for a process to start. */
const startMs = 4_000;

describe('a report whose process is killed after posting, before that is stored', () => {
  test('is found by its metadata if the app can read the channel: it is posted once and completed', async () => {
    await setUpReport({ mayReadHistory: true }, 'VPS-10012', startMs);
    await (await stage.start(memory)).gone;
    expect(await stage.posts('Morning')).toHaveLength(1);
    await (await stage.start(end)).gone;
    expect(lastFinishedDueMs()).toBeNull();
    await (await stage.start(ended)).gone;
    expect(lastFinishedDueMs()).not.toBeNull();
    const [post, ...more] = await stage.posts('Morning');
    expect(more).toEqual([]);
    expect(post && blocksText(post)).not.toContain('repeat');
    expect(post && (await stage.repliesTo(post))).toHaveLength(1);
  });
});
