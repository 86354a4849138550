import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import type { SabotageName } from './sabotage.ts';

vi.setConfig({ testTimeout: 300_000 });

const main = fileURLToPath(new URL('main.ts', import.meta.url));

/** Runs the simulation in a process of its own, because it replaces the clocks of its process. */
function simulate(...args: readonly string[]): Promise<{ readonly code: unknown; readonly output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

interface SeedsToNotice {
  readonly from: number;
  readonly count: number;
  /** What the checker then says. Anything, if missing. */
  readonly violation?: string;
}

/**
 * Within how many seeds the checker notices that a guard is missing. The first of them is one that
 * noticed it before, which saves the time of those that don't.
 */
const seedsToNotice: Record<SabotageName, SeedsToNotice> = {
  'sent-compare-and-set': { from: 42, count: 200 },
  'run-lease': { from: 458, count: 200 },
  'quota-hold': { from: 1, count: 10 },
  'second-authorization': { from: 92, count: 200 },
  'hand-over': { from: 10, count: 100 },
  'line-per-person': { from: 13, count: 50 },
  'job-lease': { from: 181526, count: 200 },
  'posting-mark': { from: 54, count: 200 },
  'batch-stop': { from: 31, count: 200, violation: 'after it was stopped' },
  'batch-continuation': { from: 4, count: 100, violation: 'lost its parts' },
  'snapshot-complete': { from: 32, count: 200, violation: 'without a complete snapshot' },
  'snapshot-continuation': { from: 102, count: 200, violation: 'lost its parts' },
  'schedule-attempt': { from: 72, count: 200, violation: 'was sent to VPS-\\d+ 2 times' },
  'schedule-result': { from: 3, count: 50, violation: 'told nobody about its occurrence' },
  'schedule-pause': { from: 48, count: 400, violation: 'after it was paused' },
  'missed-occurrence': { from: 376, count: 100, violation: 'lost their first occurrence' },
};

// Two processes at the same time, because each of them uses one core.
test.concurrent.each([1, 101])('every guarantee holds for 100 seeds from %i on', async (from) => {
  const { code, output } = await simulate('--from', `${from}`, '--seeds', '100');
  expect(output).toMatch(/100 seeds, 0 failed/);
  expect(code).toBe(0);
});

test('a seed decides what happens, whatever else the machine does', async () => {
  const replay = async () => (await simulate('--seed', '6')).output.replace(/\d+ ms\n$/, '');
  const [first, second] = await Promise.all([replay(), replay()]);
  expect(first).toContain('"kind":"crashed"');
  expect(second).toBe(first);
});

const guards = Object.entries(seedsToNotice).map(([name, seeds]) => ({ name, ...seeds }));

test.each(guards)(
  'without $name, one of $count seeds fails',
  async ({ name, from, count, violation = '' }) => {
    const seeds = ['--from', `${from}`, '--seeds', `${count}`];
    const { code, output } = await simulate(...seeds, '--sabotage', name, '--bail');
    expect(output).toMatch(new RegExp(`^seed \\d+: .*${violation}`, 'm'));
    expect(code).toBe(1);
  },
);
