import { expect, test } from 'vitest';
import { RackhandError } from '../../src/errors.ts';
import type { TestDatabase } from '../db/test-database.ts';
import { createJobsFixture, defineTestKind, done, type Payload } from './jobs-fixture.ts';

const minuteMs = 60_000;

/** Tests of jobs that can't run. They are the same for every database. */
export function describeDeadLetterJobs(database: TestDatabase): void {
  const fixtureOf = () => createJobsFixture(database.db);

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
}
