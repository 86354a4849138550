import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Report } from '../../src/reports/schedule/report.ts';
import { type OpenDatabase, openDatabase } from '../../src/storage/database.ts';
import { type PostgresServer, startPostgres } from '../services/postgres.ts';
import { textOf } from '../stack.ts';
import { type CrashStage, createCrashStage, isOver, planSoon } from './crash-stage.ts';

let postgres: PostgresServer | undefined;
let database: OpenDatabase;
let stage: CrashStage;

beforeEach(async () => {
  postgres = await startPostgres();
  database = await openDatabase(postgres.url);
  stage = await createCrashStage({
    databaseUrl: postgres.url,
    mayReadHistory: true,
  });
});
afterEach(async () => {
  await stage.close();
  await database.close();
  await postgres?.stop();
});

/** A process that is gone is waited for until its lease has ended, and then until somebody looks. */
const waiting = { timeout: 160_000, interval: 250 };

/** Whoever collects says so after a third of its lease. */
const collecting = { when: 'before', sql: 'update "report" set "lease_until" = $1 where' } as const;

const record = (report: Report) =>
  ({ when: 'before', sql: 'insert into "report_memory"', about: report.id }) as const;

test('each report comes once, whoever of three processes is killed while it collects, or has posted', async () => {
  const { db } = database;
  const plan = (name: string, vps: string, inMs: number) => planSoon(db, name, vps, inMs);

  // Each process takes up what is due when it starts, and the next what is left.
  await stage.service.fault('slow:11000', { path: '/v1/vps/VPS-10001/monitoring/*', times: 2 });
  const slow = await plan('Slow', 'VPS-10001', 5_000);
  const collects = await stage.start(collecting);
  const soon = await plan('Soon', 'VPS-10012', 15_000);
  const posts = await stage.start(record(soon));
  const others = await Promise.all(['One', 'Two', 'Three'].map((name) => plan(name, 'VPS-10012', 15_000)));
  await stage.start();
  await Promise.all([collects.gone, posts.gone]);
  expect(await stage.posts('Soon')).toHaveLength(1);
  expect(await stage.posts('Slow')).toEqual([]);

  await Promise.all([stage.start(), stage.start()]);
  const all = [slow, soon, ...others];
  await expect
    .poll(async () => (await Promise.all(all.map((report) => isOver(db, report)))).every(Boolean), waiting)
    .toBe(true);
  for (const { name } of all) {
    const [post, ...more] = await stage.posts(name);
    expect(more).toEqual([]);
    expect(post && textOf(post)).not.toContain('repeat');
    expect(post && (await stage.repliesTo(post)).length).toBe(name === 'Slow' ? 0 : 1);
  }
}, 240_000);
