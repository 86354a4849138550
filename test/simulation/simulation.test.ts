import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sabotages } from './sabotage.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

/** Runs the simulation in a process of its own, because it replaces the clocks of its process. */
function simulate(...args: readonly string[]): Promise<{ readonly code: unknown; readonly output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

test('every guarantee holds for 60 seeds', async () => {
  const { code, output } = await simulate('--seeds', '60');
  expect(output).toMatch(/60 seeds, 0 failed/);
  expect(code).toBe(0);
});

test('a seed decides what happens, whatever else the machine does', async () => {
  const replay = async () => (await simulate('--seed', '6')).output.replace(/\d+ ms\n$/, '');
  const [first, second] = await Promise.all([replay(), replay()]);
  expect(first).toContain('"kind":"crashed"');
  expect(second).toBe(first);
});

// Whether the checker notices each of them takes a minute: `npm run simulate -- --sabotages`.
test.each(Object.entries(sabotages))('the source still has the guard %s', (_, { file, search }) => {
  expect(readFileSync(file, 'utf8')).toContain(search);
});
