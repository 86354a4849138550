import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAuditStore } from '../../src/audit/audit-store.ts';
import { createAuditChain } from '../../src/audit/chain/audit-chain.ts';
import { createRetention } from '../../src/audit/retention.ts';
import { type OpenDatabase, openDatabase } from '../../src/db/engines/database.ts';
import { createLocalDatabaseClock } from '../../src/jobs/database-clock.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { createManualClock } from '../jobs/clocks/manual-clock.ts';
import { settle } from '../jobs/jobs-fixture.ts';
import { insertRuns, listRunRows } from './insert-runs.ts';

const dayMs = 24 * 60 * 60_000;
const nowMs = 1_000 * dayMs;
const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn() };

let database: OpenDatabase;

beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
  log.info.mockReset();
});
afterEach(() => database.close());

/** Creates two replicas that share a clock. */
function createReplicas(days: number) {
  const clock = createManualClock(nowMs);
  const replicas = [1, 2].map(() => {
    const databaseClock = createLocalDatabaseClock(clock);
    const jobs = createJobs({ db: database.db, databaseClock, hasReplicas: true, maxSleepMs: dayMs, log });
    jobs.definePeriodic(
      createRetention({
        store: createAuditStore(database.db),
        chain: createAuditChain('key'),
        days,
        log,
      }),
    );
    return jobs;
  });
  return {
    start: () => Promise.all(replicas.map((jobs) => jobs.start())),
    stop: () => Promise.all(replicas.map((jobs) => jobs.stop(0))),
    advance: (ms: number) => clock.advanceTo(clock.now() + ms, settle),
  };
}

const listRunIds = async () => (await listRunRows(database.db)).map(({ id }) => id);

test('deletes all runs that settled before the retention period', async () => {
  const old = Array.from({ length: 450 }, (_, index) => ({
    id: `old-${index}`,
    settled_at: nowMs - 365 * dayMs - 1 - index,
  }));
  await insertRuns(database.db, [
    ...old,
    { id: 'young', settled_at: nowMs - 365 * dayMs },
    { id: 'waiting', status: 'waiting', requested_at: 1, settled_at: null },
  ]);
  const replicas = createReplicas(365);
  await replicas.start();
  await expect.poll(listRunIds).toEqual(['waiting', 'young']);
  await expect
    .poll(() => log.info.mock.calls)
    .toEqual([[{ runs: 450 }, 'expired activity log entries were deleted']]);
  await replicas.stop();
});

test('0 days keep everything', async () => {
  await insertRuns(database.db, [{ id: 'old', settled_at: 1 }]);
  const replicas = createReplicas(0);
  await replicas.start();
  await replicas.advance(2 * dayMs);
  expect(await listRunIds()).toEqual(['old']);
  await replicas.stop();
});
