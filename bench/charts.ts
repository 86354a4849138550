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

const kinds = {
  vps: 'Pictures of a VPS, four panels with 96 readings each',
  fleet: 'Pictures of a fleet, as many rows as there are, 96 readings each',
} as const;

/** Measures twenty pictures of each kind, drawn by the child process that Rackhand uses, beside drawing them in the process itself. */
export async function benchCharts(): Promise<void> {
  for (const kind of ['vps', 'fleet'] as const) await benchKind(kind);
}

async function benchKind(kind: keyof typeof kinds): Promise<void> {
  const child: Figures[] = [];
  const inProcess: Figures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    child.push(await run('child', kind));
    inProcess.push(await run('in-process', kind));
  }
  const of = (rows: readonly Figures[], read: (one: Figures) => number) => median(rows.map(read));
  const row = (name: string, read: (one: Figures) => number, aim = '') => [
    name,
    of(child, read).toFixed(1),
    of(inProcess, read).toFixed(1),
    aim,
  ];
  console.log(`\n${kinds[kind]}; medians of ${rounds} rounds`);
  printTable(
    ['', 'child process', 'in process', 'aim'],
    [
      row('first picture, ms', ({ firstMs }) => firstMs),
      row('each later picture, ms', ({ laterMs }) => median(laterMs), '100 or less'),
      row('longest stall of the loop, ms', ({ stallMs }) => stallMs, 'under 50'),
      row("app's resident memory grown, MB", ({ residentMb }) => residentMb, '20 or less'),
      row('and when at rest, MB', ({ restingMb }) => restingMb),
      row('size of a picture, kB', ({ pngKb }) => pngKb),
    ],
  );
}

async function run(way: 'child' | 'in-process', kind: keyof typeof kinds): Promise<Figures> {
  const program = new URL('./charts-program.ts', import.meta.url).pathname;
  const measured = spawn(process.execPath, [program, way, kind], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(measured.stdout), 'line');
  return figures.parse(JSON.parse(String(line)));
}

if (import.meta.main) await benchCharts();
