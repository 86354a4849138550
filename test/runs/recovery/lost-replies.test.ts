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
    expect(lost).toMatchObject({ operation: 'show', status: 'done' });
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
    await runner.markDelivered(answer);
    expect(await announcedByNextProcess()).toEqual([]);
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
