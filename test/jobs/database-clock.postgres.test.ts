import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../src/db/engines/database.ts';
import { createPostgresClock } from '../../src/jobs/database-clock.ts';
import { createPostgresDatabase, type TestDatabase } from '../services/postgres.ts';
import { createJobsFixture, defineTestKind, done } from './jobs-fixture.ts';

const hourMs = 60 * 60_000;
const never = new Promise<never>(() => {});

let server: TestDatabase;
let database: OpenDatabase;

beforeAll(async () => {
  server = await createPostgresDatabase();
  database = await openDatabase(server.url);
});
afterAll(async () => {
  await database.close();
  await server.stop();
});
beforeEach(() => database.db.deleteFrom('job').execute());
afterEach(() => vi.restoreAllMocks());

/** Creates a process, on a machine whose clock is wrong by `skewMs`. */
function createSkewedProcess(skewMs: number, ...parameters: Parameters<typeof defineTestKind>) {
  const realNow = Date.now;
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => realNow() + skewMs);
  const clock = createPostgresClock();
  const { createProcess } = createJobsFixture(database.db, { hasReplicas: true });
  const process = createProcess(defineTestKind(...parameters), clock, 50);
  spy.mockRestore();
  return process;
}

test('a machine whose clock is minutes off is warned of once, and works by the time of the database', async () => {
  let offMs = 5 * 60_000;
  const clock = createPostgresClock(() => Date.now() + offMs);
  const { createProcess } = createJobsFixture(database.db, { hasReplicas: true });
  let ran = 0;
  const { jobs, queue, log } = createProcess(
    defineTestKind(async () => {
      ran += 1;
      return done;
    }),
    clock,
    50,
  );
  await jobs.start();
  await queue.schedule({ id: 'a', payload: { step: 1 } });
  await expect.poll(() => ran).toBe(1);
  expect(Math.abs(clock.skewMs() - offMs)).toBeLessThan(30_000);
  expect(log.warn).toHaveBeenCalledOnce();
  offMs = 200;
  await expect.poll(() => Math.abs(clock.skewMs())).toBeLessThan(30_000);
  await jobs.stop(0);
});

test.each([hourMs, -hourMs])(
  'a replica whose clock is wrong by %d ms neither takes over living work nor starts early',
  async (skewMs) => {
    const ran: string[] = [];
    const concurrency = 1;
    const right = createSkewedProcess(
      0,
      () => {
        ran.push('right');
        return never;
      },
      { concurrency },
    );
    await right.queue.schedule({ id: 'living', teamId: 'T1', payload: { step: 1 } });
    await right.jobs.start();
    await expect.poll(() => ran).toEqual(['right']);

    const wrong = createSkewedProcess(skewMs, async ({ id }) => {
      ran.push(`wrong ${id}`);
      return done;
    });
    await wrong.jobs.start();
    expect(Math.abs(wrong.jobs.clock.now() - right.jobs.clock.now())).toBeLessThan(hourMs / 4);
    const dueMs = wrong.jobs.clock.now() + hourMs / 2;
    await wrong.queue.schedule({ id: 'in half an hour', teamId: 'T2', payload: { step: 1 }, dueMs });
    await wrong.queue.schedule({ id: 'now', teamId: 'T3', payload: { step: 1 } });
    await expect.poll(() => ran).toEqual(['right', 'wrong now']);
    await Promise.all([wrong.jobs.stop(0), right.jobs.stop(0)]);
  },
);
