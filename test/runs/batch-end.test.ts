import { expect, test } from 'vitest';
import { createCatalogue } from '../../src/operations/define/catalogue.ts';
import { hostingOperations } from '../../src/operations/hosting-operations.ts';
import { createBatchEnd, type StopReason } from '../../src/runs/parts/batch-end.ts';
import { planBatch } from '../../src/runs/parts/plan-batch.ts';
import { deniedProblem } from '../../src/runs/problem.ts';
import type { Run } from '../../src/runs/run.ts';
import { createRun, type RunFields } from './create-run.ts';

const operation = createCatalogue(hostingOperations().groups).find('reboot several');
if (operation?.kind !== 'change' || !operation.batchOf) throw new Error('reboot several is no batch');
const inner = operation.batchOf;

const input = { targets: ['VPS-1', 'VPS-2', 'VPS-3'], atATime: '2' };
const batch = createRun({ operation: 'reboot several', input, status: 'sent', settledMs: null });

const done = createRun({ progress: { isFinished: true, state: 'running', text: '' } });
const unseen = createRun({ progress: { isFinished: true, isEndUnknown: true, text: '' } });
const fail = (status: RunFields['status']) =>
  createRun({
    status,
    result: { kind: 'problem', problem: deniedProblem({ message: 'No.', advice: 'Ask.' }) },
  });

/** Ends a batch of VPS-1, VPS-2, … with these runs. */
function endBatch(runs: readonly (Run | undefined)[], stop?: StopReason) {
  const targets = runs.map((run, index) => ({
    vps: `VPS-${index + 1}`,
    label: `host-${index + 1}`,
    shownState: 'running',
    run,
  }));
  return createBatchEnd(batch, inner, targets, stop, 0);
}

/** The end of a batch that isn't a success. Without `rest`, there is no button. */
const incomplete = (message: string, changed: string, ...rest: readonly string[]) => ({
  status: 'failed',
  result: {
    kind: 'problem',
    problem: {
      ...{ code: 'batch_incomplete', message, changed },
      nextSteps:
        rest.length === 0
          ? []
          : [{ label: 'Run the Rest', operation: 'reboot several', input: { ...input, targets: rest } }],
    },
  },
});

test('a batch is done if each VPS is, or if only its end was not seen', () => {
  expect(endBatch([done, done])).toMatchObject({
    status: 'done',
    result: { outcome: { title: '2 of 2 done.', facts: [{ label: 'host-1' }, { label: 'host-2' }] } },
  });
  expect(endBatch([done, unseen])).toMatchObject({
    status: 'done',
    result: { outcome: { title: '1 of 2 done, 1 not seen to finish.' } },
  });
  expect(endBatch([unseen], { kind: 'late' })).toMatchObject({ status: 'failed' });
});

test.each<[StopReason, string]>([
  [{ kind: 'person', userId: 'U0BOB' }, 'This was stopped. The rest did not start.'],
  [{ kind: 'failure', label: 'host-1' }, 'host-1 did not succeed, so the rest did not start.'],
  [{ kind: 'late' }, 'This ran for an hour, which is the limit. The rest did not start.'],
  [{ kind: 'interrupted' }, 'Rackhand was down for too long. The rest did not start.'],
])('a batch that was stopped says why, and offers the rest: %j', (stop, message) => {
  const end = endBatch([fail('failed'), done, undefined], stop);
  expect(end).toMatchObject(incomplete(message, '1 of 3 done, 1 failed, 1 not started.', 'VPS-1', 'VPS-3'));
  const { problem } = end.result as { problem: { facts: readonly object[]; advice: string } };
  const stoppedBy = { label: 'Stopped by', value: { kind: 'person', person: 'U0BOB' } };
  expect(problem.facts.filter((fact) => 'label' in fact && fact.label === 'Stopped by')).toEqual(
    stop.kind === 'person' ? [stoppedBy] : [],
  );
  expect(problem.facts.slice(-3)).toMatchObject([
    { label: 'host-1' },
    { label: 'host-2' },
    { label: 'host-3' },
  ]);
  expect(problem.advice).toBe('See what happened to each VPS, then run the rest.');
});

test('a batch whose stop kept nothing from starting counts what failed', () => {
  expect(endBatch([fail('failed'), done], { kind: 'failure', label: 'host-1' })).toMatchObject(
    incomplete('1 of 2 did not succeed.', '1 of 2 done, 1 failed.', 'VPS-1'),
  );
});

test('a VPS whose change was accepted is not offered again, whatever is known of its work', () => {
  const off = createRun({ progress: { isFinished: true, state: 'stopped', text: '' } });
  const end = endBatch([unseen, off, done, undefined], { kind: 'person', userId: 'U0BOB' });
  expect(end.result).toMatchObject({ problem: { nextSteps: [{ input: { targets: ['VPS-4'] } }] } });
});

test('a VPS with an unknown outcome is not offered again', () => {
  const end = endBatch([fail('unknown'), done]);
  expect(end).toMatchObject(incomplete('1 of 2 did not succeed.', '1 of 2 done, 1 failed.'));
  expect(end.result).toMatchObject({
    problem: { advice: 'Check the VPS with an unknown outcome before you run anything on them again.' },
  });
});

test('a stop waits for a VPS whose change is just being started', () => {
  const targets = [{ vps: 'VPS-1' }];
  const stopped = { ...batch, stoppedBy: 'U0BOB' } as Run;
  const plan = planBatch({ run: stopped, parsed: { input: { targets } } } as never, inner, 1_000, () => 0);
  expect(plan(stopped, [], new Set([`batch:${batch.id}:VPS-1`]))).toMatchObject({ kind: 'goOn', start: [] });
  expect(plan(stopped, [], new Set())).toMatchObject({ kind: 'end' });
});
