import { describe, expect, test } from 'vitest';
import { defineOwn } from '../../../src/operations/operation.ts';
import type { Outcome } from '../../../src/operations/outcome.ts';
import { asker, minuteMs, runIdOf, useRunners } from './runners.ts';

const bench = useRunners();
const quiet = { info: () => undefined, error: () => undefined };

/** What the next process announces. */
async function toldNext(laterMs = 0) {
  bench.announced = [];
  bench.nowMs += laterMs;
  const next = bench.create({ log: quiet });
  await next.start();
  await next.stop();
  return bench.announced;
}

describe('a confirmation that lapses', () => {
  test('is told where its card never came', async () => {
    const token = await bench.tokenOf(bench.create(), 'reboot', { vps: 'VPS-10001' });
    expect(await toldNext(10 * minuteMs)).toMatchObject([{ id: runIdOf(token), status: 'expired' }]);
  });

  test('says so on its card where that came', async () => {
    const runner = bench.create();
    const answer = await bench.request(runner, 'reboot', { vps: 'VPS-10001' });
    await runner.told(answer);
    expect(await toldNext(10 * minuteMs)).toEqual([]);
  });
});

describe('an answer', () => {
  test('that was lost is told of by the next process, once', async () => {
    await bench.request(bench.create(), 'show', { vps: 'VPS-10001' });
    const [lost] = await toldNext();
    expect(lost).toMatchObject({ operation: 'show', status: 'done' });
    await bench.runs.told(lost?.id ?? '', lost?.settledMs ?? 0);
    expect(await toldNext()).toEqual([]);
  });

  test.each([
    ['show', { vps: 'VPS-10001' }, 'outcome'],
    ['show', { vps: 'VPS-77777' }, 'problem'],
  ] as const)('to %s %o that has come is not told of again', async (name, raw, kind) => {
    const runner = bench.create();
    const answer = await bench.request(runner, name, raw);
    expect(answer.kind).toBe(kind);
    await runner.told(answer);
    expect(await toldNext()).toEqual([]);
  });

  test('that says why something was refused is told by the next process, where it was lost', async () => {
    await bench.request(bench.create(), 'show', { vps: 'VPS-77777' });
    expect(await toldNext()).toMatchObject([{ status: 'refused' }]);
  });
});

describe('what Rackhand itself keeps', () => {
  const own = (run: () => Promise<Outcome>) =>
    defineOwn({
      name: 'tidy',
      heading: 'Tidy',
      summary: 'Tidy',
      arguments: {},
      button: 'Tidy',
      right: null,
      run,
    });

  test('may have been changed by what failed in the middle', async () => {
    const catalogue = bench.withOperations(own(() => Promise.reject(new Error('in the middle'))));
    const runner = bench.create({ catalogue, log: quiet });
    expect(await bench.request(runner, 'tidy', {})).toMatchObject({
      problem: { changed: 'Whether anything was changed is not known.' },
    });
  });

  test('may have been changed before a crash', async () => {
    const { promise: never } = Promise.withResolvers<Outcome>();
    const catalogue = bench.withOperations(own(() => never));
    void bench.request(bench.create({ catalogue }), 'tidy', {});
    await expect
      .poll(async () => (await bench.database.db.selectFrom('run').selectAll().execute()).length)
      .toBe(1);
    const next = bench.create({ catalogue });
    await next.start();
    await expect.poll(() => bench.announced).toHaveLength(1);
    expect(bench.announced).toMatchObject([
      {
        status: 'unknown',
        result: { problem: { changed: 'Whether anything was changed is not known.' } },
      },
    ]);
    await next.stop();
  });
});

describe('a confirmation that wants a text typed', () => {
  const restore = { vps: 'VPS-10001', snapshot: 'weekly' };

  test.each([undefined, '', 'VPS-10002'])('is not given by %j', async (typed) => {
    const runner = bench.create();
    const token = await bench.tokenOf(runner, 'snapshot restore', restore);
    expect(await runner.confirm(token, asker, typed === undefined ? {} : { typed })).toMatchObject({
      kind: 'problem',
      problem: { code: 'input_invalid' },
    });
    expect(await bench.changes()).toEqual([]);
    expect(await runner.confirm(token, asker, { typed: 'vps-10001' })).toEqual({ kind: 'started' });
    await runner.stop();
    expect(await bench.changes()).toHaveLength(1);
  });
});
