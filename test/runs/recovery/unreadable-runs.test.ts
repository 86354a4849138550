import { rmSync } from 'node:fs';
import type { Updateable } from 'kysely';
import { expect, expectTypeOf, onTestFinished, test } from 'vitest';
import type { RunTable } from '../../../src/db/schema/schema.ts';
import { expiredProblem } from '../../../src/runs/problem.ts';
import { createAnswerSpool } from '../../../src/runs/recovery/answer-spool.ts';
import type { Run } from '../../../src/runs/run.ts';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { createRun } from '../create-run.ts';
import { actor, parseRunId, useRunnerFixture } from '../runner-fixture.ts';
import { testVault } from '../test-vault.ts';

const fixture = useRunnerFixture();

/** A log that records its errors. */
function recordErrors() {
  const errors: unknown[] = [];
  const log: RunnerDependencies['log'] = {
    info: () => undefined,
    error: (...words: unknown[]) => void errors.push(words),
  };
  return { errors, log };
}

const setRun = (values: Updateable<RunTable>, id: string) =>
  fixture.database.db.updateTable('run').set(values).where('id', '=', id).execute();

const unreadable = { result: { problem: { code: 'run_unreadable' } } };

test.each([
  ['has the input of another version', { input: '{"server":"VPS-10001"}' }, 'input not accepted: vps'],
  ['is of an operation that is gone', { operation: 'defragment' }, 'there is no such operation'],
  ['has input that is not JSON', { input: '{"vps":' }, 'unreadable: input'],
  ['has an origin that is not JSON', { origin: 'C1' }, 'unreadable: origin'],
  ["doesn't say since when", { queued_at: null }, 'unreadable: queued_at'],
])('a queued run that %s is set aside, and others go on', async (_, values, reason) => {
  await fixture.insertRun('queued');
  await setRun(values, 'left');
  await fixture.database.db.updateTable('run').set({ id: 'bad', request_key: 'bad' }).execute();
  await fixture.insertRun('queued');
  const { errors, log } = recordErrors();
  const runner = fixture.createRunner({ log });
  await runner.start();
  expect(await fixture.waitUntilSettled('bad')).toMatchObject({ ...unreadable, status: 'expired' });
  expect(await fixture.waitUntilSettled('left')).toMatchObject({ status: 'done' });
  expect(await fixture.changingCalls()).toHaveLength(1);
  expect(fixture.announced.find(({ id }) => id === 'bad')).toMatchObject({
    title: 'Reboot VPS-10001',
    result: { problem: { changed: 'Nothing was changed.' } },
  });
  expect(runner.listUnreadableRuns()).toMatchObject([{ runId: 'bad', reason }]);
  expect(errors).toMatchObject([[{ runId: 'bad', reason }, expect.anything()]]);
});

test('an outcome that does not fit the state of its run is left out', async () => {
  await fixture.insertRun('queued');
  const problem = JSON.stringify({ kind: 'problem', problem: expiredProblem() });
  await setRun({ status: 'done', settled_at: 7, outcome: problem }, 'left');
  const run = await fixture.runs.find('left');
  expect(run).toMatchObject({ status: 'done', result: null, unreadableColumns: ['outcome'] });
  // The compiler knows which fields fit a state.
  if (run?.status === 'done') expectTypeOf(run.settledMs).toEqualTypeOf<number>();
  if (run?.status === 'waiting') expectTypeOf(run.result).toEqualTypeOf<null>();
  // @ts-expect-error A run that waits has no result.
  const impossible: Run = { ...createRun(), status: 'waiting' as const, queuedMs: null };
  expect(impossible.status).toBe('waiting');
});

test('a sent run that is unreadable is settled as unknown', async () => {
  await fixture.insertRun('sent');
  await setRun({ operation: 'defragment' }, 'left');
  await fixture.createRunner(recordErrors()).start();
  expect(await fixture.waitUntilSettled('left')).toMatchObject({
    status: 'unknown',
    result: { problem: { code: 'run_unreadable', changed: expect.stringContaining('unknown') } },
  });
  expect(await fixture.changingCalls()).toEqual([]);
});

test('the kept answer of an unreadable run stays for a later version, and the run ends as unknown', async () => {
  const dir = makeScratchDirectory('answers');
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const answerSpool = createAnswerSpool({ dir, vault: testVault, log: { warn() {}, error() {} } });
  await fixture.insertRun('sent');
  await answerSpool.save({ runId: 'left', data: {} });
  await setRun({ operation: 'defragment' }, 'left');
  const older = fixture.createRunner({ ...recordErrors(), answerSpool });
  await older.start();
  expect(await fixture.waitUntilSettled('left')).toMatchObject({ ...unreadable, status: 'unknown' });
  await older.stop();
  expect(await answerSpool.list()).toHaveLength(1);

  await setRun({ operation: 'reboot' }, 'left');
  const later = fixture.createRunner({ answerSpool });
  await later.start();
  await later.stop();
  expect(await fixture.runs.find('left')).toMatchObject({ status: 'done' });
  expect(await answerSpool.list()).toEqual([]);
});

test('a run that became unreadable is set aside when it is confirmed', async () => {
  const { log } = recordErrors();
  const runner = fixture.createRunner({ log });
  const token = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10001' });
  await setRun({ input: '{}' }, parseRunId(token));
  expect(await runner.confirm({ token, actor })).toMatchObject({
    kind: 'problem',
    problem: { code: 'run_unreadable', changed: 'Nothing was changed.' },
  });
  expect(await fixture.waitUntilSettled(parseRunId(token))).toMatchObject({ status: 'expired' });
  expect(runner.listUnreadableRuns()).toHaveLength(1);
});

test('a run whose operation is gone is set aside when it is approved', async () => {
  const tokens: string[] = [];
  const parts: Partial<RunnerDependencies> = {
    log: recordErrors().log,
    findApprovalRoute: async () => ({ channel: 'C2' }),
    approvalCards: {
      async post({ token }) {
        tokens.push(token);
        return [{ channel: 'C2', ts: '1.1' }];
      },
      update: async () => undefined,
      close: async () => undefined,
    },
  };
  const before = fixture.createRunner(parts);
  const token = await fixture.requestConfirmation(before, 'reboot', { vps: 'VPS-10001' });
  await before.confirm({ token, actor });
  const catalogue = { ...fixture.withOperations(), find: () => undefined };
  const updated = fixture.createRunner({ ...parts, catalogue });
  const approver = { teamId: 'T1', userId: 'U2' };
  expect(await updated.approve({ token: tokens[0] ?? '', approver })).toMatchObject({
    kind: 'problem',
    problem: { code: 'run_unreadable' },
  });
  expect(await fixture.waitUntilSettled(parseRunId(token))).toMatchObject({
    ...unreadable,
    status: 'expired',
  });
  expect(fixture.announced.at(-1)).toMatchObject({ status: 'expired', title: 'Reboot web-01 (VPS-10001)' });
  expect(updated.listUnreadableRuns()).toHaveLength(1);
  expect(await fixture.changingCalls()).toEqual([]);
});
