import { expect, test } from 'vitest';
import { decideNext, type SnapshotFirst, toProgress } from '../../src/runs/parts/decide-next.ts';
import { planSnapshotFirst } from '../../src/runs/parts/plan-snapshot-first.ts';
import { deniedProblem } from '../../src/runs/problem.ts';
import { findChange } from '../operations/operation-harness.ts';
import { createRun, type RunFields } from './create-run.ts';

const problem = deniedProblem({ message: 'No.', advice: 'Ask.' });
const complete = { isFinished: true, state: 'available', text: 'Snapshot s of web-01 is available now.' };
const deadlineMs = 1_000;

function describeState(parts: Partial<SnapshotFirst>): SnapshotFirst {
  const parent = createRun({ operation: 'reinstall', status: 'sent', settledMs: null });
  const operations = { operation: findChange('reinstall'), snapshotOperation: findChange('snapshot create') };
  const none = { snapshot: undefined, change: undefined };
  return { parent, ...operations, ...none, deadlineMs, ...parts };
}

const decide = (parts: Partial<SnapshotFirst>, nowMs = 0) => decideNext(describeState(parts), nowMs);

const snapshot = (fields: Partial<RunFields>) => ({
  snapshot: createRun({ input: { vps: 'VPS-10001', name: 'before' }, ...fields }),
});
const change = (fields: Partial<RunFields>) => ({
  ...snapshot({ progress: complete }),
  change: createRun(fields),
});
const takenOnly = 'Snapshot before was taken. Nothing else was changed.';
const ended = (message: string, changed = expect.stringContaining('Nothing else was changed.')) => ({
  kind: 'end',
  end: { status: 'failed', result: { problem: { message: expect.stringContaining(message), changed } } },
});

test.each([
  ['takes the snapshot first', {}, { kind: 'start', part: 'snapshot' }],
  ['waits for its call', snapshot({ status: 'sent', settledMs: null }), { kind: 'wait' }],
  ['waits until it is seen', snapshot({ progress: null }), { kind: 'wait' }],
  ['waits until it is taken', snapshot({ progress: { isFinished: false, text: '' } }), { kind: 'wait' }],
  ['begins once it is complete', snapshot({ progress: complete }), { kind: 'start', part: 'change' }],
  [
    'ends if it is broken',
    snapshot({ progress: { ...complete, state: 'error', text: 'Snapshot s is error now.' } }),
    ended("doesn't show that the snapshot is complete. Snapshot s is error now."),
  ],
  [
    'ends if its state is not shown',
    snapshot({ progress: { ...complete, isEndUnknown: true } }),
    ended("doesn't show"),
  ],
  [
    'ends if it was not taken',
    snapshot({ status: 'refused', result: { kind: 'problem', problem } }),
    ended('The snapshot was not taken: No.', 'Nothing was changed.'),
  ],
  [
    'ends if nobody knows whether it was taken',
    snapshot({ status: 'unknown', result: { kind: 'problem', problem } }),
    ended("It's unknown whether the snapshot was taken: No."),
  ],
  ['follows the change', change({ settledMs: null, status: 'sent' }), { kind: 'wait' }],
  ['follows its work', change({ progress: { isFinished: false, text: 'Installing.' } }), { kind: 'wait' }],
  ['is done', change({ progress: complete }), { kind: 'end', end: { status: 'done' }, progress: complete }],
  [
    'ends like the change',
    change({ status: 'unknown', result: { kind: 'problem', problem } }),
    { kind: 'end', end: { status: 'unknown', result: { problem: { message: 'No.', changed: takenOnly } } } },
  ],
  [
    'does not count as done if its end cannot be read',
    change({ status: 'failed', result: null, unreadableColumns: ['outcome'] }),
    { kind: 'end', end: { status: 'failed', result: { problem: { code: 'run_unreadable' } } } },
  ],
] satisfies readonly [string, Partial<SnapshotFirst>, unknown][])(
  'a change after a snapshot %s',
  (_, parts, act) => {
    expect(decide(parts)).toMatchObject(act);
  },
);

test('nothing begins after the deadline or a stop, and what has begun goes on', () => {
  const done = snapshot({ progress: complete });
  expect(decide(done, deadlineMs)).toMatchObject(ended('not complete within an hour'));
  const stopped = createRun({ operation: 'reinstall', status: 'sent', settledMs: null, stoppedBy: 'U0BOB' });
  expect(decide({ ...done, parent: stopped })).toMatchObject(ended('stopped'));
  const sent = change({ settledMs: null, status: 'sent' });
  expect(decide({ ...sent, parent: stopped }, deadlineMs)).toEqual({ kind: 'wait' });
});

test('a stop waits for a snapshot that is just being started', () => {
  const parent = createRun({ operation: 'reinstall', status: 'sent', settledMs: null, stoppedBy: 'U0BOB' });
  const operation = findChange('reinstall');
  const catalogue = { find: findChange } as never;
  const plan = planSnapshotFirst({ run: parent, operation } as never, deadlineMs, {
    catalogue,
    now: () => 0,
  });
  const starting = new Set([`snapshot-first:${parent.id}:snapshot`]);
  expect(plan(parent, [], starting)).toMatchObject({ kind: 'goOn', start: [] });
  expect(plan(parent, [], new Set())).toMatchObject(ended('stopped', expect.any(String)));
});

test('the message follows both parts, and has no button to stop once the change has begun', () => {
  const show = (parts: Partial<SnapshotFirst>) => {
    const { facts, ...rest } = toProgress(describeState(parts));
    return [rest, facts.map(({ label, value }) => `${label}: ${value}`)];
  };
  const taking = { isFinished: false, text: 'Taking a snapshot first.' };
  expect(show({})).toEqual([taking, ['Snapshot: ⏳ Waiting', 'Reinstall: ⏳ Waiting']]);
  const inProgress = snapshot({ progress: { isFinished: false, text: 'Snapshot s is pending.' } });
  expect(show(inProgress)).toEqual([taking, ['Snapshot: Snapshot s is pending.', 'Reinstall: ⏳ Waiting']]);
  expect(show(change({ status: 'sent', settledMs: null }))).toEqual([
    { isFinished: false, text: 'The snapshot is complete.', isBeyondStop: true },
    ['Snapshot: Snapshot s of web-01 is available now.', 'Reinstall: 🔄 Running'],
  ]);
});

test('the message offers the secrets of the change while its work goes on, because they expire', () => {
  const secretRef = { id: 'secret-1', labels: ['Password'], expiresMs: 15 * 60_000 };
  const installing = change({
    status: 'done',
    progress: { isFinished: false, text: 'Installing.' },
    result: { kind: 'outcome', outcome: { title: 'Reinstalled', secretRef } },
  });
  expect(decide(installing)).toEqual({ kind: 'wait' });
  expect(toProgress(describeState(installing))).toMatchObject({ isFinished: false, secretRef });
});
