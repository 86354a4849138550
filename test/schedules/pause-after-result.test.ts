import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deniedProblem } from '../../src/runs/problem.ts';
import { createScheduleFixture } from './schedule-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

test('a denied schedule is paused, although the database failed when its occurrence ended', async () => {
  const { db, posted, store, hooks, createProcess, add, advance } = await createScheduleFixture();
  const { id } = await add('nightly');
  const problem = deniedProblem({ message: 'You have no right.', advice: 'Ask.' });
  const result = { kind: 'problem', problem };
  hooks.toRun = () => ({ status: 'failed', settledMs: 0, progress: null, result });
  await sql`create trigger fail_pause before update on plan when new.state = 'paused'
    begin select raise(abort, 'disk full'); end`.execute(db);
  await createProcess('A').start();
  await advance(hourMs + 5_000);
  await sql`drop trigger fail_pause`.execute(db);

  await advance(5 * minuteMs);
  expect(posted.join('\n')).toContain('paused');
  expect(await store.get(id)).toMatchObject({
    state: { kind: 'paused', reason: 'denied' },
    occurrence: null,
    lastResult: { isOk: false },
  });
});

test('a schedule without another time ends, although its only target was denied', async () => {
  const { posted, store, hooks, createProcess, add, advance, clock } = await createScheduleFixture();
  const timing = { kind: 'once', atMs: clock.now() + hourMs, zone: 'UTC' } as const;
  const { id } = await add('once', { timing });
  const problem = deniedProblem({ message: 'You have no right.', advice: 'Ask.' });
  const result = { kind: 'problem', problem };
  hooks.toRun = () => ({ status: 'failed', settledMs: 0, progress: null, result });
  await createProcess('A').start();
  await advance(hourMs + minuteMs);
  expect(posted.join('\n')).not.toContain('paused');
  expect(await store.get(id)).toMatchObject({ state: { kind: 'ended' }, occurrence: null, nextMs: null });
});

test('a schedule that somebody takes over while its creator is looked up is not paused', async () => {
  const { posted, store, hooks, createProcess, add, advance, clock } = await createScheduleFixture();
  const { id } = await add('nightly');
  hooks.findCreatorStanding = async () => {
    hooks.findCreatorStanding = async () => 'allowed';
    const schedule = await store.get(id);
    if (!schedule) throw new Error('the schedule is gone');
    const decided = { createdBy: 'U0BOB', createdMs: schedule.createdMs + 1 };
    await store.edit(schedule, { ...schedule, ...decided }, clock.now());
    return 'left';
  };
  await createProcess('A').start();
  await advance(hourMs + minuteMs);
  expect(posted.join('\n')).not.toContain('paused');
  expect(await store.get(id)).toMatchObject({ state: { kind: 'active' }, createdBy: 'U0BOB' });
});
