import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../src/db/engines/database.ts';
import type { Report } from '../../../src/monitoring/reports/report.ts';
import { createPostgresDatabase, type TestDatabase } from '../../services/postgres.ts';
import { type RedisServer, startRedis } from '../../services/redis.ts';
import { blocksText } from '../../stack.ts';
import { addReportDueIn, type CrashFixture, createCrashFixture, isFinished } from './crash-fixture.ts';

let postgres: TestDatabase | undefined;
let redis: RedisServer | undefined;
let database: OpenDatabase;
let stage: CrashFixture;

beforeEach(async () => {
  [postgres, redis] = await Promise.all([createPostgresDatabase(), startRedis()]);
  database = await openDatabase(postgres.url);
  stage = await createCrashFixture({
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    mayReadHistory: true,
  });
});
afterEach(async () => {
  await stage.close();
  await database.close();
  await postgres?.stop();
  await redis?.stop();
});

/** A dead process's lease must expire, and another process must poll. */
const waiting = { timeout: 160_000, interval: 250 };

/** The lease is renewed after a third of its duration. */
const collecting = {
  when: 'before',
  sql: 'update "job" set "claimable_at" = floor',
  anyValue: 'report',
} as const;

const record = (report: Report) =>
  ({ when: 'before', sql: 'insert into "report_baseline"', anyValue: report.id }) as const;

test('each report is posted once, whichever of three processes is killed while collecting or posting', async () => {
  const { db } = database;
  const plan = (name: string, vps: string, inMs: number) => addReportDueIn(db, name, vps, inMs);

  // Each process claims what is due when it starts; the next one claims the rest.
  await stage.service.fault('slow:11000', { path: '/v1/vps/VPS-10001/monitoring/*', times: 2 });
  const slow = await plan('Slow', 'VPS-10001', 5_000);
  const collects = await stage.start(collecting);
  const soon = await plan('Soon', 'VPS-10012', 15_000);
  const posts = await stage.start(record(soon));
  const others = await Promise.all(['One', 'Two', 'Three'].map((name) => plan(name, 'VPS-10012', 15_000)));
  const postsToo = await stage.start(record(soon));
  await collects.gone;
  expect(await stage.posts('Slow')).toEqual([]);
  // On a slow machine, the third process can be the one that claims it.
  await Promise.race([posts.gone, postsToo.gone]);
  expect(await stage.posts('Soon')).toHaveLength(1);

  await Promise.all([stage.start(), stage.start()]);
  const all = [slow, soon, ...others];
  await expect
    .poll(
      async () => (await Promise.all(all.map((report) => isFinished(db, report)))).every(Boolean),
      waiting,
    )
    .toBe(true);
  for (const { name } of all) {
    const [post, ...more] = await stage.posts(name);
    expect(more).toEqual([]);
    if (!post) throw new Error(`the report ${name} was not posted`);
    const text = blocksText(post);
    expect(text).not.toContain('repeat');
    // What stands out about a VPS depends on the time of day.
    expect(await stage.repliesTo(post)).toHaveLength(text.includes('Nothing stands out') ? 0 : 1);
  }
}, 240_000);
