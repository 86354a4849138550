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

interface Noticed {
  /** The first seed: shortly before one that failed when this was written. Defaults to 1. */
  readonly from?: number;
  /** How many seeds are tried. More than needed, because a change of the code changes what they do. */
  readonly within: number;
  /** What the checker then says. Anything, if missing. */
  readonly violation?: string;
}

/** How soon the checker notices that a guard is missing. */
const noticed: Record<SabotageName, Noticed> = {
  'sent-compare-and-set': { from: 15, within: 20 },
  'run-lease': { from: 260, within: 60, violation: 'reported as unknown' },
  'quota-hold': { within: 10 },
  'read-claim': { within: 20 },
  'second-authorization': { from: 190, within: 50 },
  'hand-over': { within: 20 },
  'line-per-person': { from: 180, within: 70 },
  'job-lease': { from: 4400, within: 100 },
  'posting-mark': { from: 35, within: 100 },
  'batch-stop': { from: 180, within: 100, violation: 'after it was stopped' },
  'batch-pace': { from: 190, within: 50, violation: 'after another one had failed' },
  'batch-continuation': { within: 50, violation: 'lost its parts' },
  'snapshot-complete': { within: 50, violation: 'without a complete snapshot' },
  'snapshot-continuation': { within: 10, violation: 'lost its parts' },
  'schedule-attempt': { from: 415, within: 50, violation: 'was sent to VPS-\\d+ 2 times' },
  'schedule-result': { within: 50, violation: 'told nobody about its occurrence' },
  'schedule-pause': { from: 75, within: 80, violation: 'after it was paused' },
  'missed-occurrence': { within: 50, violation: 'lost their first occurrence' },
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

const guards = Object.entries(noticed).map(([name, seeds]) => ({ name, ...seeds }));

test.each(guards)(
  'without $name, one of $within seeds fails',
  async ({ name, from = 1, within, violation = '' }) => {
    const seeds = ['--from', `${from}`, '--seeds', `${within}`];
    const { code, output } = await simulate(...seeds, '--sabotage', name, '--bail');
    expect(output).toMatch(new RegExp(`^seed \\d+: .*${violation}`, 'm'));
    expect(code).toBe(1);
  },
);
