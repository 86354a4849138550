import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

/** Returns the largest heap, in MB, of a process that holds 20 MB of objects and replaces them again and again. */
async function measureHeap(prelude: string): Promise<number> {
  const script = `${prelude}
    const held = [];
    let largest = 0;
    for (let count = 0; count < 1_500; count += 1) {
      held[count % 200] = Array.from({ length: 3_000 }, (_, index) => ({ index }));
      largest = Math.max(largest, process.memoryUsage().heapTotal);
    }
    console.log(largest / 2 ** 20);`;
  const args = ['--max-semi-space-size=8', '--input-type=module', '--eval', script];
  return Number((await run(process.execPath, args)).stdout);
}

test('the heap of a busy process grows less than by default', async () => {
  const module = new URL('../src/heap-growth.ts', import.meta.url).href;
  const limited = await measureHeap(`import { limitHeapGrowth } from '${module}'; limitHeapGrowth();`);
  expect(limited).toBeLessThan((await measureHeap('')) * 0.8);
});
