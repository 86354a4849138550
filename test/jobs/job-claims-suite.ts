import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import type { JobResult } from '../../src/jobs/job-kind.ts';
import type { TestDatabase } from '../db/test-database.ts';
import { createJobsFixture, defineTestKind, done, type Payload, startMs } from './jobs-fixture.ts';

const never = new Promise<never>(() => {});
const minuteMs = 60_000;

/** Tests of which process runs a job. */
export function describeJobClaims(database: TestDatabase): void {
  const fixtureOf = (hasReplicas = false) => createJobsFixture(database.db, { hasReplicas });

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
}
