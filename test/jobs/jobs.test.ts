import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createJobStore } from '../../src/jobs/job-store.ts';
import { databases, useTestDatabase } from '../db/test-database.ts';
import { describeDeadLetterJobs } from './dead-letter-suite.ts';
import { describeJobClaims } from './job-claims-suite.ts';
import { createJobsFixture, defineTestKind, done, startMs } from './jobs-fixture.ts';

const minuteMs = 60_000;

describe.each(databases)('jobs in $name', ({ name, start }) => {
  const database = useTestDatabase(start);
  const fixtureOf = (hasReplicas = false) => createJobsFixture(database.db, { hasReplicas });

  describeJobClaims(database);
  describeDeadLetterJobs(database);

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
});
