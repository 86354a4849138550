import { describe, expect, test } from 'vitest';
import type { Progress } from '../../src/operations/operation.ts';
import { renderRun } from '../../src/slack/render/run.ts';
import { runOf } from '../operations/runs/run-of.ts';

const run = runOf({
  result: {
    kind: 'outcome',
    outcome: {
      title: 'VPS-10001 is rebooting',
      facts: [
        { label: 'State', value: { state: 'rebooting' } },
        { label: 'Task', value: '17' },
      ],
    },
  },
});

const told = (progress: Progress | null) =>
  JSON.stringify(renderRun({ ...run, progress }, { title: 'Reboot VPS-10001' }).blocks);

describe('the message of a run', () => {
  test('tells what the call answered until something later is known', () => {
    expect(told(null)).toContain('VPS-10001 is rebooting');
    expect(told(null)).toContain('🟡 rebooting');
  });

  test('tells no state that has moved on since, and keeps the rest of the answer', () => {
    const over = told({ isOver: true, words: 'VPS-10001 is running now.' });
    expect(over).toContain('VPS-10001 is running now.');
    expect(over).toContain('Task: ');
    expect(over).not.toContain('rebooting');
  });
});
