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

/** Within how many seeds, from the first one, the checker notices that a guard is missing. */
const seedsToNotice: Record<SabotageName, number> = {
  'sent-compare-and-set': 200,
  'run-lease': 200,
  'quota-hold': 10,
  'second-authorization': 200,
  'hand-over': 100,
  'posting-mark': 200,
};

test('every guarantee holds for each seed', async () => {
  const { code, output } = await simulate('--seeds', '200');
  expect(output).toMatch(/200 seeds, 0 failed/);
  expect(code).toBe(0);
});

test('a seed decides what happens, whatever else the machine does', async () => {
  const replay = async () => (await simulate('--seed', '6')).output.replace(/\d+ ms\n$/, '');
  const [first, second] = await Promise.all([replay(), replay()]);
  expect(first).toContain('"kind":"crashed"');
  expect(second).toBe(first);
});

test.each(Object.entries(seedsToNotice))('without %s, one of %i seeds fails', async (name, seeds) => {
  const { code, output } = await simulate('--seeds', `${seeds}`, '--sabotage', name, '--bail');
  expect(output).toMatch(/^seed \d+: /m);
  expect(code).toBe(1);
});
