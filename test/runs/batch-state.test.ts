import { describe, expect, test } from 'vitest';
import type { ChangeOperation } from '../../src/operations/define/operation.ts';
import {
  type BatchTarget,
  findPhase,
  formatCounts,
  isReasonToStop,
  listTargetFacts,
  type TargetPhase,
} from '../../src/runs/parts/batch-state.ts';
import type { Run } from '../../src/runs/run.ts';
import { findChange } from '../operations/operation-harness.ts';
import { createRun, type RunFields } from './create-run.ts';

const [reboot, snapshotDelete] = ['reboot', 'snapshot delete'].map(findChange) as [
  ChangeOperation,
  ChangeOperation,
];
/** The longest time that unfinished progress counts as under way. */
const longestMs = 2.5 * 60 * 60_000;

const toTarget = (run: Run | undefined): BatchTarget => ({
  vps: 'VPS-10001',
  label: 'web-01 (VPS-10001)',
  shownState: 'running',
  run,
});

/** Returns the phase of a VPS and the words for it. */
function show(run: Run | undefined, { inner = reboot, nowMs = 0, isOver = false } = {}) {
  const target = toTarget(run);
  const [fact] = listTargetFacts([target], inner, { isOver, nowMs });
  expect(fact?.label).toBe('web-01 (VPS-10001)');
  return [findPhase(target, inner, nowMs), fact?.value];
}

const withProgress = (progress: Omit<NonNullable<RunFields['progress']>, 'text'>) =>
  createRun({ progress: { ...progress, text: '' } });
const problem = (message: string) =>
  createRun({
    status: 'failed',
    result: { kind: 'problem', problem: { code: 'internal', message, changed: '', advice: '' } },
  });

describe('one VPS of a batch', () => {
  test('waits, or was never started', () => {
    expect(show(undefined)).toEqual(['open', '⏳ Waiting']);
    expect(show(undefined, { isOver: true })).toEqual(['open', '⏹️ Not started']);
  });

  test('is active until its work has ended', () => {
    const active = { queuedMs: 0, settledMs: null } as const;
    expect(show(createRun({ ...active, status: 'waiting' }))).toEqual(['active', '⏳ Checking']);
    expect(show(createRun({ ...active, status: 'queued' }))).toEqual(['active', '⏳ Queued']);
    expect(show(createRun({ ...active, status: 'sent' }))).toEqual(['active', '🔄 Running']);
    expect(show(createRun())).toEqual(['active', '🔄 In progress']);
    expect(show(withProgress({ isFinished: false, state: 'rebooting' }))).toEqual(['active', '🔄 rebooting']);
    expect(show(createRun(), { inner: snapshotDelete })).toEqual(['done', '✅ Done']);
  });

  test('is done if it has the state of the card again, and failed in another one', () => {
    expect(show(withProgress({ isFinished: true }))).toEqual(['done', '✅ Done']);
    expect(show(withProgress({ isFinished: true, state: 'Running' }))).toEqual(['done', '✅ Running']);
    expect(show(withProgress({ isFinished: true, state: 'stopped' }))).toEqual([
      'failed',
      '❌ stopped, was running',
    ]);
    expect(show(problem('The service is down.'))).toEqual(['failed', '❌ Failed: The service is down.']);
    expect(show(problem('x'.repeat(100)))[1]).toBe(`❌ Failed: ${'x'.repeat(100)}`);
    expect(show(problem('x'.repeat(101)))[1]).toBe(`❌ Failed: ${'x'.repeat(99)}…`);
  });

  test('is done in a state with an unknown word only if the card showed it', () => {
    const run = (state: string) => withProgress({ isFinished: true, isEndUnknown: true, state });
    expect(findPhase({ ...toTarget(run('läuft')), shownState: 'Läuft' }, reboot, 0)).toBe('done');
    expect(findPhase(toTarget(run('läuft')), reboot, 0)).toBe('unseen');
  });

  test('has no known end if Rackhand did not see it', () => {
    const unseen = ['unseen', '❓ Accepted, but Rackhand did not see it finish'];
    expect(show(withProgress({ isFinished: true, isEndUnknown: true }))).toEqual(unseen);
    const stuck = withProgress({ isFinished: false });
    expect(show(stuck, { nowMs: longestMs })).toEqual(['active', '🔄 In progress']);
    expect(show(stuck, { nowMs: longestMs + 1 })).toEqual(unseen);
  });
});

test('a VPS that failed or whose end is unknown keeps the batch from starting others', () => {
  const phases: readonly TargetPhase[] = ['open', 'active', 'done', 'unseen', 'failed'];
  expect(phases.filter(isReasonToStop)).toEqual(['unseen', 'failed']);
});

test('a batch counts its VPS in each phase', () => {
  const phases: readonly TargetPhase[] = ['done', 'done', 'failed', 'unseen', 'active', 'open'];
  expect(formatCounts(phases, false)).toBe(
    '2 of 6 done, 1 failed, 1 not seen to finish, 1 running, 1 waiting',
  );
  expect(formatCounts(['done', 'open'], true)).toBe('1 of 2 done, 1 not started');
  expect(formatCounts(['done'], false)).toBe('1 of 1 done');
});
