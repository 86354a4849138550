import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { createStack } from '../src/sandbox/stack.ts';
import { manifestPath, serviceControl, slackControl } from '../test/stack.ts';
import { printTable } from './figures.ts';

/** Where the quota makes it wait, its window is so many times shorter than the service's: ten minutes take twenty seconds. */
const fleets = [
  { vpsCount: 12, timesFaster: 1 },
  { vpsCount: 200, timesFaster: 30 },
] as const;

type Fleet = (typeof fleets)[number];

/** Of a quota of 50, what reports may fill. */
const backgroundLimit = 40;

interface Summary {
  readonly calls: number;
  readonly elapsedMs: number;
}

/** Measures `/vps report run` from the command to the report, beside what the quota alone makes of its calls: with nothing kept, and with the week before kept. */
export async function benchSummaries(): Promise<void> {
  const rows: string[][] = [];
  for (const fleet of fleets) {
    const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));
    try {
      for (const what of ['first', 'the day after']) {
        // The quota remembers the calls of its last window, also over a restart.
        if (what !== 'first') await delay(60_000 / fleet.timesFaster);
        rows.push(rowOf(fleet, what, await summarize(fleet, join(directory, 'app.db'))));
      }
    } finally {
      rmSync(directory, { recursive: true });
    }
  }
  console.log('\nSummaries of a fleet, seconds at the real quota of 50 calls a minute');
  printTable(['', 'calls', 'seconds', 'by the quota alone', 'ratio'], rows);
}

function rowOf({ vpsCount, timesFaster }: Fleet, what: string, { calls, elapsedMs }: Summary): string[] {
  const seconds = (elapsedMs * timesFaster) / 1_000;
  // As many as the lane holds leave at once, and as many again with each window of a minute.
  const ideal = (Math.ceil(calls / backgroundLimit) - 1) * 60;
  const ratio = ideal > 0 ? (seconds / ideal).toFixed(3) : '';
  return [`${vpsCount} VPS, ${what}`, String(calls), seconds.toFixed(1), String(ideal), ratio];
}

/** Runs a process of its own on a database that may be there already, so that nothing is remembered but what is kept. */
async function summarize({ vpsCount, timesFaster }: Fleet, databasePath: string): Promise<Summary> {
  const windowMs = 60_000 / timesFaster;
  const stack = await createStack({
    hosting: { port: 0, vpsCount, windowMs },
    slack: { port: 0, manifest: manifestPath },
    databaseUrl: `sqlite:${databasePath}`,
    encryptionKey: new Uint8Array(32),
    log: pino({ level: 'silent' }),
  });
  try {
    const slack = slackControl(stack.slack.url);
    const service = serviceControl(stack.hosting.url);
    const before = (await service.calls()).length;
    const startedMs = performance.now();
    await slack.slash('report run');
    await untilSaid(async () =>
      (await slack.messages('U0ALICE', 'U0ALICE')).some(({ text }) => /needs? a look|stands out/.test(text)),
    );
    const elapsedMs = performance.now() - startedMs;
    return { calls: (await service.calls()).length - before, elapsedMs };
  } finally {
    await stack.close();
  }
}

async function untilSaid(isSaid: () => Promise<boolean>): Promise<void> {
  const giveUpMs = performance.now() + 5 * 60_000;
  while (!(await isSaid())) {
    if (performance.now() > giveUpMs) throw new Error('no report came');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

if (import.meta.main) await benchSummaries();
