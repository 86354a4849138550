import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { median, printTable } from './statistics.ts';

const rounds = 3;

/** Output of `charts-process.ts`. */
const measurementsSchema = z.object({
  firstMs: z.number(),
  laterMs: z.array(z.number()),
  stallMs: z.number(),
  residentMb: z.number(),
  idleMb: z.number(),
  pngKb: z.number(),
});
type Measurements = z.infer<typeof measurementsSchema>;

const kindTitles = {
  vps: 'Line charts of a VPS, four panels with 96 points each',
  fleet: 'Heatmaps of a fleet, as many rows as possible, 96 points each',
} as const;

/**
 * Measures twenty charts of each kind. They are drawn in Rackhand's child process and, for
 * comparison, in this process.
 */
export async function benchCharts(): Promise<void> {
  for (const kind of ['vps', 'fleet'] as const) await measureKind(kind);
}

async function measureKind(kind: keyof typeof kindTitles): Promise<void> {
  const child: Measurements[] = [];
  const inProcess: Measurements[] = [];
  for (let round = 0; round < rounds; round += 1) {
    child.push(await measure('child', kind));
    inProcess.push(await measure('in-process', kind));
  }
  const row = (name: string, read: (measured: Measurements) => number, aim = '') => [
    name,
    median(child.map(read)).toFixed(1),
    median(inProcess.map(read)).toFixed(1),
    aim,
  ];
  console.log(`\n${kindTitles[kind]}; medians of ${rounds} rounds`);
  printTable(
    ['', 'child process', 'in process', 'aim'],
    [
      row('first chart, ms', ({ firstMs }) => firstMs),
      row('each later chart, ms', ({ laterMs }) => median(laterMs), '100 or less'),
      row('longest stall of the loop, ms', ({ stallMs }) => stallMs, 'under 50'),
      row('growth of resident memory, MB', ({ residentMb }) => residentMb, '20 or less'),
      row('growth when idle, MB', ({ idleMb }) => idleMb),
      row('size of a chart, kB', ({ pngKb }) => pngKb),
    ],
  );
}

async function measure(mode: 'child' | 'in-process', kind: keyof typeof kindTitles): Promise<Measurements> {
  const program = new URL('./charts-process.ts', import.meta.url).pathname;
  const measured = spawn(process.execPath, [program, mode, kind], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(measured.stdout), 'line');
  return measurementsSchema.parse(JSON.parse(String(line)));
}

if (import.meta.main) await benchCharts();
