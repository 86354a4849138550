import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { RackhandError } from '../../src/errors.ts';
import type { JobResult } from '../../src/jobs/job-kind.ts';
import { createJobStore } from '../../src/jobs/job-store.ts';
import { databases, useTestDatabase } from '../db/test-database.ts';
import { createJobsFixture, defineTestKind, done, type Payload, startMs } from './jobs-fixture.ts';

const never = new Promise<never>(() => {});
const minuteMs = 60_000;

describe.each(databases)('jobs in $name', ({ name, start }) => {
  const database = useTestDatabase(start);
  const fixtureOf = (hasReplicas = false) => createJobsFixture(database.db, { hasReplicas });

  test('a job runs at its time, with its payload, and is deleted when it is done', async () => {
    const { createProcess, advance, clock, listRows, poll } = fixtureOf();
    const ran: unknown[] = [];
    const { jobs, queue, events } = createProcess(
      defineTestKind(async ({ id, teamId, payload, dueMs, attempt }) => {
        ran.push({ id, teamId, payload, dueMs, attempt, atMs: clock.now() });
        return done;
      }),
    );
    await jobs.start();
    const dueMs = startMs + minuteMs;
    await queue.schedule({ id: 'a', teamId: 'T1', payload: { step: 1 }, dueMs });
    await advance(minuteMs - 1);
    expect(ran).toEqual([]);
    await advance(1);
    await poll(() => ran).toHaveLength(1);
    expect(ran).toEqual([{ id: 'a', teamId: 'T1', payload: { step: 1 }, dueMs, attempt: 1, atMs: dueMs }]);
    await poll(listRows).toEqual([]);
    expect(events).toEqual(['started']);
    await jobs.stop(0);
  });

  test('a job that repeats runs again at that time, with its new payload', async () => {
    const { createProcess, advance, listRows, clock, poll } = fixtureOf();
    const steps: number[] = [];
    const { jobs, queue } = createProcess(
      defineTestKind(async ({ payload: { step } }) => {
        steps.push(step);
        return step === 3
          ? done
          : { kind: 'repeat', atMs: clock.now() + minuteMs, payload: { step: step + 1 } };
      }),
    );
    await queue.schedule({ id: 'a', payload: { step: 1 } });
    await jobs.start();
    await poll(async () => (await listRows())[0]?.claimable_at).toBe(startMs + minuteMs);
    await advance(minuteMs);
    await poll(async () => (await listRows())[0]?.claimable_at).toBe(startMs + 2 * minuteMs);
    await advance(minuteMs);
    await poll(listRows).toEqual([]);
    expect(steps).toEqual([1, 2, 3]);
    await jobs.stop(0);
  });

  test('a job that fails is retried with growing pauses, and the others go on', async () => {
    const { createProcess, advance, clock, listRows, poll } = fixtureOf();
    const ran: string[] = [];
    const { jobs, queue, log, events } = createProcess(
      defineTestKind(async ({ id, attempt }) => {
        ran.push(`${id} ${clock.now() - startMs}`);
        if (id === 'bad' && attempt < 4) throw new Error('no');
        return done;
      }),
    );
    await queue.schedule({ id: 'bad', payload: { step: 1 } });
    await queue.schedule({ id: 'good', payload: { step: 1 } });
    await jobs.start();
    for (let attempt = 1; attempt < 4; attempt += 1) {
      await poll(listRows).toMatchObject([{ id: 'bad', attempts: attempt, claim_token: null }]);
      await advance(1_000 * 2 ** (attempt - 1));
    }
    await poll(listRows).toEqual([]);
    expect(ran).toEqual(['bad 0', 'good 0', 'bad 1000', 'bad 3000', 'bad 7000']);
    expect(log.error).toHaveBeenCalledTimes(3);
    expect(events.filter((event) => event === 'retried')).toHaveLength(3);
    await jobs.stop(0);
  });

  test('a job that was scheduled again while it ran runs once more', async () => {
    const { createProcess, listRows, poll } = fixtureOf();
    const finishes: (() => void)[] = [];
    const { jobs, queue } = createProcess(
      defineTestKind(async () => {
        await new Promise<void>((resolve) => void finishes.push(resolve));
        return done;
      }),
    );
    await jobs.start();
    await queue.ensure({ id: 'a', payload: { step: 1 } });
    await poll(() => finishes).toHaveLength(1);
    await queue.ensure({ id: 'a', payload: { step: 1 } });
    finishes[0]?.();
    await poll(() => finishes).toHaveLength(2);
    finishes[1]?.();
    await poll(listRows).toEqual([]);
    await jobs.stop(0);
  });

  test('the query of a poll uses an index on the time, however many jobs wait', async () => {
    const { db } = database;
    const rows = Array.from({ length: 5_000 }, (_, index) => ({
      ...{ kind: 'test', id: `job ${index}`, team_id: `T${index % 100}`, user_id: '', payload: '{}' },
      ...{ due_at: startMs + index, claimable_at: startMs + index, claim_token: null },
      ...{ attempts: 0, revision: 0, dead_letter_reason: null },
    }));
    for (let from = 0; from < rows.length; from += 500) {
      await db
        .insertInto('job')
        .values(rows.slice(from, from + 500))
        .execute();
    }
    await sql`analyze job`.execute(db);
    const explain = name === 'PostgreSQL' ? 'explain' : 'explain query plan';
    const plans: string[] = [];
    const explaining = db.withPlugin({
      transformQuery: ({ node }) =>
        node.kind === 'RawNode'
          ? { ...node, sqlFragments: [`${explain} ${node.sqlFragments[0]}`, ...node.sqlFragments.slice(1)] }
          : node,
      async transformResult({ result }) {
        plans.push(JSON.stringify(result.rows));
        return { rows: [] };
      },
    });
    const { databaseClock } = fixtureOf();
    const store = createJobStore(explaining, databaseClock);
    await store.lookAhead([{ name: 'test' }]).catch(() => undefined);
    expect(plans).toHaveLength(1);
    for (const plan of plans) {
      expect(plan).toContain('job_by_time');
      expect(plan).not.toMatch(/Seq Scan on job|SCAN job(?! USING)/);
    }
  });

  test('each job is claimed by one of several processes', async () => {
    const { createProcess, listRows, poll } = fixtureOf(true);
    const ran: string[] = [];
    const kind = defineTestKind(async ({ id }) => {
      ran.push(id);
      return done;
    });
    const processes = [1, 2, 3].map(() => createProcess(kind));
    for (let id = 0; id < 30; id += 1) {
      await processes[0]?.queue.schedule({ id: String(id), payload: { step: 1 } });
    }
    await Promise.all(processes.map(({ jobs }) => jobs.start()));
    await poll(listRows).toEqual([]);
    expect(ran.toSorted()).toEqual([...new Set(ran)].toSorted());
    expect(ran).toHaveLength(30);
    await Promise.all(processes.map(({ jobs }) => jobs.stop(0)));
  });

  test('a job of a process that died is taken over after its lease, and not before', async () => {
    const { createProcess, advance, poll } = fixtureOf(true);
    const began: string[] = [];
    const dead = createProcess(
      defineTestKind(() => {
        began.push('dead');
        return never;
      }),
    );
    // A clock whose timers never fire: the process renews nothing.
    const frozen = createProcess(
      defineTestKind(() => {
        began.push('frozen');
        return never;
      }),
      {
        clock: { now: () => startMs, setTimer: () => () => {} },
        sqlNow: () => sql<number>`cast(${startMs} as bigint)`,
        synchronize() {},
        async lock() {},
        skewMs: () => 0,
      },
    );
    await frozen.queue.schedule({ id: 'a', payload: { step: 1 } });
    await frozen.jobs.start();
    await poll(() => began).toEqual(['frozen']);
    await dead.jobs.start();
    await advance(29_999);
    expect(began).toEqual(['frozen']);
    await advance(1);
    await poll(() => began).toEqual(['frozen', 'dead']);
    expect(dead.events).toEqual(['started 30000']);
    await dead.jobs.stop(0);
  });

  test('a living process keeps its lease, however long its job takes', async () => {
    const { createProcess, advance, poll, listRows, clock } = fixtureOf(true);
    const began: string[] = [];
    const kindOf = (owner: string) =>
      defineTestKind(() => {
        began.push(owner);
        return never;
      });
    const [one, other] = [createProcess(kindOf('one')), createProcess(kindOf('other'))];
    await one.queue.schedule({ id: 'a', payload: { step: 1 } });
    await one.jobs.start();
    await other.jobs.start();
    for (let renewals = 0; renewals < 9; renewals += 1) {
      await advance(10_000);
      await poll(async () => (await listRows())[0]?.claimable_at).toBe(clock.now() + 30_000);
    }
    expect(began).toEqual(['one']);
    await Promise.all([one.jobs.stop(0), other.jobs.stop(0)]);
  });

  test('an attempt whose lease was lost is abandoned, and saves nothing', async () => {
    const { createProcess, advance, listRows, poll } = fixtureOf(true);
    const aborted = vi.fn();
    let finish: (() => void) | undefined;
    const { jobs, queue, log } = createProcess(
      defineTestKind(async (_, { signal }) => {
        signal.addEventListener('abort', aborted);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return done;
      }),
    );
    await queue.schedule({ id: 'a', payload: { step: 1 } });
    await jobs.start();
    await poll(() => finish).toBeDefined();
    const stolen = { claim_token: 'of another process', claimable_at: startMs + 60 * minuteMs };
    await database.db.updateTable('job').set(stolen).execute();
    await advance(10_000);
    await poll(() => aborted.mock.calls.length).toBe(1);
    finish?.();
    await jobs.stop(0);
    expect(await listRows()).toMatchObject([stolen]);
    expect(log.error).not.toHaveBeenCalled();
  });

  test.each([
    ['done', done],
    ['to be repeated', { kind: 'repeat', atMs: startMs, payload: { step: 2 } } as const],
  ])(
    'an attempt that is %s does not change a job that another process has claimed since',
    async (_, result) => {
      const { createProcess, listRows, poll } = fixtureOf(true);
      const handled = Promise.withResolvers<JobResult<Payload>>();
      const began = vi.fn();
      const { jobs, queue, log } = createProcess(
        defineTestKind(() => {
          began();
          return handled.promise;
        }),
      );
      await queue.schedule({ id: 'a', payload: { step: 1 } });
      await jobs.start();
      await poll(() => began.mock.calls.length).toBe(1);
      const stolen = { claim_token: 'of another process', claimable_at: startMs + 60 * minuteMs };
      await database.db.updateTable('job').set(stolen).execute();
      // The lease is not renewed before the attempt ends, so the process doesn't know that it lost it.
      handled.resolve(result);
      await jobs.stop(5_000);
      expect(await listRows()).toMatchObject([{ ...stolen, payload: '{"step":1}', attempts: 1 }]);
      expect(log.error).not.toHaveBeenCalled();
    },
  );

  test('a process that stops hands its jobs over at once, those that ignore the signal after the grace', async () => {
    const { createProcess, listRows, poll } = fixtureOf(true);
    const began: string[] = [];
    const kindOf = (owner: string) =>
      defineTestKind(({ id }, { signal }) => {
        began.push(`${owner} ${id}`);
        if (id === 'deaf') return never;
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        );
      });
    const [one, other] = [createProcess(kindOf('one')), createProcess(kindOf('other'))];
    for (const id of ['deaf', 'polite']) await one.queue.schedule({ id, payload: { step: 1 } });
    await one.jobs.start();
    await poll(() => began).toHaveLength(2);
    await one.jobs.stop(20);
    expect(await listRows()).toMatchObject([
      { id: 'deaf', claim_token: null, attempts: 0, claimable_at: startMs },
      { id: 'polite', claim_token: null, attempts: 0, claimable_at: startMs },
    ]);
    await other.jobs.start();
    await poll(() => began.toSorted().slice(-2)).toEqual(['other deaf', 'other polite']);
    await other.jobs.stop(0);
  });

  test('a clock that jumps an hour ahead starts no second attempt at a job that is running', async () => {
    const { createProcess, advance, clock, poll } = fixtureOf();
    let began = 0;
    const { jobs, queue } = createProcess(
      defineTestKind(() => {
        began += 1;
        return never;
      }),
    );
    await queue.schedule({ id: 'a', payload: { step: 1 } });
    await jobs.start();
    await poll(() => began).toBe(1);
    clock.jumpTo(clock.now() + 60 * minuteMs);
    queue.wake();
    await advance(minuteMs);
    expect(began).toBe(1);
    await jobs.stop(0);
  });

  test('a clock that is set back is warned of, and waiting jobs run that much later', async () => {
    const { createProcess, advance, clock, poll } = fixtureOf();
    const ran: number[] = [];
    const { jobs, queue, log } = createProcess(
      defineTestKind(async () => {
        ran.push(clock.now() - startMs);
        return { kind: 'repeat', atMs: clock.now() + minuteMs };
      }),
    );
    await queue.schedule({ id: 'a', payload: { step: 1 } });
    await jobs.start();
    await poll(() => ran).toEqual([0]);
    clock.jumpTo(clock.now() - 10 * minuteMs);
    for (let minute = 0; minute < 10; minute += 1) await advance(minuteMs);
    expect(ran).toEqual([0]);
    await advance(minuteMs);
    await poll(() => ran).toEqual([0, minuteMs]);
    expect(log.warn.mock.calls.map(([, text]) => text)).toEqual([
      'the clock was set back: waiting jobs run that much later',
    ]);
    await jobs.stop(0);
  });

  test('a job with an unreadable payload is dead-lettered, named, and tried again later', async () => {
    const { createProcess, advance, listRows, poll } = fixtureOf();
    const ran: Payload[] = [];
    const { jobs, queue, log, events } = createProcess(
      defineTestKind(async ({ payload }) => {
        ran.push(payload);
        return done;
      }),
    );
    await queue.schedule({ id: 'bad', payload: { step: 1 } });
    await queue.schedule({ id: 'good', payload: { step: 2 } });
    const set = (text: string) =>
      database.db.updateTable('job').set({ payload: text }).where('id', '=', 'bad').execute();
    await set('{"step": "of a later version');
    await jobs.start();
    await poll(listRows).toMatchObject([{ id: 'bad', dead_letter_reason: 'unreadable payload' }]);
    expect((await jobs.count()).deadLettered).toEqual([
      { kind: 'test', reason: 'unreadable payload', count: 1, ids: ['bad'] },
    ]);
    expect(log.error).toHaveBeenCalledWith(
      { job: 'test', jobId: 'bad', reason: 'unreadable payload' },
      expect.any(String),
    );
    expect(events).toContain('deadLettered');
    await set('{"step":3}');
    await advance(60 * minuteMs);
    await poll(listRows).toEqual([]);
    expect(ran).toEqual([{ step: 2 }, { step: 3 }]);
    await jobs.stop(0);
  });

  test('a job whose row is unreadable is dead-lettered, and tried again later', async () => {
    const { createProcess, advance, listRows, poll } = fixtureOf();
    let isReadable = false;
    const { jobs, queue } = createProcess(
      defineTestKind(async () => {
        if (!isReadable) throw new RackhandError('row_unreadable', 'no');
        return done;
      }),
    );
    await queue.schedule({ id: 'bad', payload: { step: 1 } });
    await jobs.start();
    await poll(listRows).toMatchObject([{ id: 'bad', dead_letter_reason: 'unreadable row', attempts: 0 }]);
    isReadable = true;
    await advance(60 * minuteMs);
    await poll(listRows).toEqual([]);
    await jobs.stop(0);
  });

  test('a job of an unknown kind is left to a version that knows it, and named', async () => {
    const { createProcess, listRows, poll } = fixtureOf();
    const known = createProcess(defineTestKind(async () => done));
    const later = createProcess(defineTestKind(async () => done, { name: 'of a later version' }));
    await later.queue.schedule({ id: 'later', payload: { step: 1 } });
    await known.queue.schedule({ id: 'known', payload: { step: 1 } });
    await known.jobs.start();
    await poll(listRows).toMatchObject([{ id: 'later', claim_token: null, attempts: 0 }]);
    expect(known.log.error).toHaveBeenCalledExactlyOnceWith(
      { job: 'of a later version', count: 1, jobIds: ['later'] },
      expect.any(String),
    );
    expect((await known.jobs.count()).deadLettered).toEqual([
      { kind: 'of a later version', reason: 'unknown kind', count: 1, ids: ['later'] },
    ]);
    await known.jobs.stop(0);
    await later.jobs.start();
    await poll(listRows).toEqual([]);
    await later.jobs.stop(0);
  });
});
