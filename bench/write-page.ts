import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { aimNames, listMeasuredAims } from './aims.ts';
import { formatPage, parsePage } from './page-format.ts';

const page = new URL('../docs/internals/benchmarks.md', import.meta.url);

type NamedBench = readonly [name: string, bench: () => Promise<void>];

/**
 * Runs the chosen benches, and replaces their sections and aims in docs/internals/benchmarks.md. `names` are
 * the names of all benches, in the order of their sections.
 */
export async function writePage(chosen: readonly NamedBench[], names: readonly string[]): Promise<void> {
  const machine = describeMachine();
  const { aims, sections } = parsePage(readFileSync(page, 'utf8'));
  const written = new Map(sections);
  for (const [name, bench] of chosen) written.set(name, { machine, output: await captureOutput(bench) });
  const measured = listMeasuredAims().map((aim) => [aim.what, aim] as const);
  const results = { aims: new Map([...aims, ...measured]), sections: written };
  writeFileSync(page, formatPage(results, { names, aimNames }));
}

/** Returns what the bench prints, and still prints it. */
async function captureOutput(bench: () => Promise<void>): Promise<string> {
  const lines: string[] = [];
  const print = console.log;
  console.log = (line: string) => {
    lines.push(line);
    print(line);
  };
  try {
    await bench();
  } finally {
    console.log = print;
  }
  return lines.join('\n').trim();
}

function describeMachine(): string {
  const processors = cpus();
  const [load = 0] = loadavg();
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  return [
    new Date().toISOString().slice(0, 10),
    `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown'}`,
    `${memoryGb} GB`,
    `Node.js ${process.version}`,
    `load before the run ${load.toFixed(1)}`,
  ].join(', ');
}
