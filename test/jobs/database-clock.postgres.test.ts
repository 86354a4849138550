import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../src/db/engines/database.ts';
import { createPostgresClock, type DatabaseClock } from '../../src/jobs/database-clock.ts';
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

test('a replica whose clock is minutes off claims nothing until it is right again', async () => {
  const ran: string[] = [];
  const { createProcess } = createJobsFixture(database.db, { hasReplicas: true });
  const start = async (name: string, clock: DatabaseClock) => {
    const kind = defineTestKind(async ({ id }) => {
      ran.push(`${name} ${id}`);
      return done;
    });
    const process = createProcess(kind, clock, 50);
    await process.jobs.start();
    return process;
  };
  let skewMs = 5 * 60_000;
  const changes: boolean[] = [];
  const wrongClock = createPostgresClock(() => Date.now() + skewMs);
  wrongClock.onChange((isRight) => changes.push(isRight));
  const wrong = await start('wrong', wrongClock);
  await wrong.queue.schedule({ id: 'a', teamId: 'T1', payload: { step: 1 } });
  await expect.poll(() => changes).toEqual([false]);
  const right = await start('right', createPostgresClock());
  await expect.poll(() => ran).toEqual(['right a']);
  // Long enough for the end of the job to be stored.
  await right.jobs.stop(30_000);

  skewMs = 200;
  await wrong.queue.schedule({ id: 'b', teamId: 'T1', payload: { step: 1 } });
  await expect.poll(() => ran).toEqual(['right a', 'wrong b']);
  expect(changes).toEqual([false, true]);
  await wrong.jobs.stop(0);
});

test.each([hourMs, -hourMs])(
  'a replica whose clock is wrong by %d ms neither takes over living work nor starts early',
  async (skewMs) => {
    const ran: string[] = [];
    const concurrency = { perProcess: 1, perWorkspace: 1 };
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
    expect(wrong.events).not.toContain('adopted');
    await Promise.all([wrong.jobs.stop(0), right.jobs.stop(0)]);
  },
);
