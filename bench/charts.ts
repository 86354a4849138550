import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { median, printTable } from './figures.ts';

const rounds = 3;

/** What `charts-program.ts` tells of itself. */
const figures = z.object({
  firstMs: z.number(),
  laterMs: z.array(z.number()),
  stallMs: z.number(),
  residentMb: z.number(),
  restingMb: z.number(),
  pngKb: z.number(),
});
type Figures = z.infer<typeof figures>;

/** Measures pictures of four panels, drawn by the child process that Rackhand uses, beside drawing them in the process itself. */
export async function benchCharts(): Promise<void> {
  const child: Figures[] = [];
  const inProcess: Figures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    child.push(await run('child'));
    inProcess.push(await run('in-process'));
  }
  const of = (rows: readonly Figures[], read: (one: Figures) => number) => median(rows.map(read));
  const row = (name: string, read: (one: Figures) => number, aim = '') => [
    name,
    of(child, read).toFixed(1),
    of(inProcess, read).toFixed(1),
    aim,
  ];
  console.log(`\nCharts of four panels with 96 readings each, medians of ${rounds} rounds`);
  printTable(
    ['', 'child process', 'in process', 'aim'],
    [
      row('first chart, ms', ({ firstMs }) => firstMs),
      row('each later chart, ms', ({ laterMs }) => median(laterMs), '100 or less'),
      row('longest stall of the loop, ms', ({ stallMs }) => stallMs, '20 or less'),
      row("app's resident memory grown, MB", ({ residentMb }) => residentMb, '20 or less'),
      row('and when at rest, MB', ({ restingMb }) => restingMb),
      row('size of a picture, kB', ({ pngKb }) => pngKb),
    ],
  );
}

async function run(way: 'child' | 'in-process'): Promise<Figures> {
  const program = new URL('./charts-program.ts', import.meta.url).pathname;
  const measured = spawn(process.execPath, [program, way], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(measured.stdout), 'line');
  return figures.parse(JSON.parse(String(line)));
}

if (import.meta.main) await benchCharts();
