import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { defineLocal } from '../../../src/operations/define/define-operation.ts';
import type { Outcome } from '../../../src/operations/define/outcome.ts';
import { actor, minuteMs, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();
const quiet = { info: () => undefined, error: () => undefined };

/** The runs that the next process announces. */
async function announcedByNextProcess(laterMs = 0) {
  fixture.announced = [];
  fixture.nowMs += laterMs;
  const next = fixture.createRunner({ log: quiet });
  await next.start();
  await next.stop();
  return fixture.announced;
}

/** Counts the updates of runs from now on. */
async function countRunWrites(): Promise<() => Promise<number>> {
  const { db } = fixture.database;
  await sql`create table run_write (id integer primary key)`.execute(db);
  await sql`create trigger count_run_writes after update on run
    begin insert into run_write values (null); end`.execute(db);
  return async () => {
    const { rows } = await sql<{ writes: number }>`select count(*) as writes from run_write`.execute(db);
    return rows[0]?.writes ?? 0;
  };
}

describe('an expired confirmation', () => {
  test('is announced if its card was never delivered', async () => {
    const token = await fixture.requestConfirmation(fixture.createRunner(), 'reboot', { vps: 'VPS-10001' });
    expect(await announcedByNextProcess(10 * minuteMs)).toMatchObject([
      { id: parseRunId(token), status: 'expired' },
    ]);
  });
});

describe('a reply', () => {
  test('that was lost is reported by the next process, once', async () => {
    await fixture.request(fixture.createRunner(), 'show', { vps: 'VPS-10001' });
    const [lost] = await announcedByNextProcess();
    expect(lost).toMatchObject({
      operation: 'show',
      status: 'expired',
      result: { problem: { nextSteps: [{ label: 'Try Again', operation: 'show' }] } },
    });
    await fixture.runs.markDelivered(lost?.id ?? '', lost?.settledMs ?? 0);
    expect(await announcedByNextProcess()).toEqual([]);
  });

  test.each([
    ['show', { vps: 'VPS-10001' }, 'outcome'],
    ['show', { vps: 'VPS-77777' }, 'problem'],
  ] as const)('to %s %o that was delivered is not reported again', async (name, raw, kind) => {
    const runner = fixture.createRunner();
    const answer = await fixture.request(runner, name, raw);
    expect(answer.kind).toBe(kind);
    await runner.deliver(answer, async () => undefined);
    expect(await announcedByNextProcess()).toEqual([]);
  });

  test('to a read is stored with one write, once the actor got it', async () => {
    const runner = fixture.createRunner();
    const countWrites = await countRunWrites();
    const answer = await fixture.request(runner, 'show', { vps: 'web-01' });
    const runId = 'runId' in answer ? (answer.runId ?? '') : '';
    expect(await countWrites()).toBe(0);
    await runner.deliver(answer, async () =>
      expect(await fixture.runs.find(runId)).toMatchObject({ status: 'queued' }),
    );
    expect(await countWrites()).toBe(1);
    expect(await fixture.runs.find(runId)).toMatchObject({ status: 'done', target: 'VPS-10001' });
  });

  test('to a read is not sent after another process has ended it', async () => {
    const paused = fixture.createRunner();
    const answer = await fixture.request(paused, 'show', { vps: 'VPS-10001' });
    expect(await announcedByNextProcess()).toMatchObject([{ status: 'expired' }]);
    await paused.deliver(answer, async () => expect.unreachable('the actor was told to try again'));
  });
});

describe("Rackhand's own data", () => {
  const own = (run: () => Promise<Outcome>) =>
    defineLocal({
      name: 'tidy',
      heading: 'Tidy',
      summary: 'Tidy',
      arguments: {},
      button: 'Tidy',
      right: null,
      run,
    });

  test('counts as possibly changed after an error halfway', async () => {
    const catalogue = fixture.withOperations(own(() => Promise.reject(new Error('in the middle'))));
    const runner = fixture.createRunner({ catalogue, log: quiet });
    expect(await fixture.request(runner, 'tidy', {})).toMatchObject({
      problem: { changed: "It's unknown whether anything was changed." },
    });
  });
});

describe('a typed confirmation', () => {
  const restore = { vps: 'VPS-10001', snapshot: 'weekly' };

  test.each([undefined, '', 'VPS-10002'])('does not accept %j', async (typed) => {
    const runner = fixture.createRunner();
    const token = await fixture.requestConfirmation(runner, 'snapshot restore', restore);
    expect(await runner.confirm({ token, actor, typed })).toMatchObject({
      kind: 'problem',
      problem: { code: 'input_invalid' },
    });
    expect(await fixture.changingCalls()).toEqual([]);
    expect(await runner.confirm({ token, actor, typed: 'vps-10001' })).toEqual({ kind: 'started' });
    await runner.stop();
    expect(await fixture.changingCalls()).toHaveLength(1);
  });
});
