import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { createStack } from '../src/sandbox/stack.ts';
import { createHostingDriver, createSlackDriver, manifestPath } from '../test/stack.ts';
import { printTable } from './statistics.ts';

/** The large fleet uses a quota window 30 times shorter, so that ten minutes take twenty seconds. */
const fleetSizes = [
  { vpsCount: 12, timesFaster: 1 },
  { vpsCount: 200, timesFaster: 30 },
] as const;

type Fleet = (typeof fleetSizes)[number];

/** How many slots reports can use if the quota is 50. */
const backgroundLimit = 40;

interface ReportRun {
  readonly calls: number;
  readonly elapsedMs: number;
}

/**
 * Measures how long `/vps report run` takes from the command to the report, first without and then
 * with stored history. Compares with the shortest time that the quota allows.
 */
export async function benchReports(): Promise<void> {
  const rows: string[][] = [];
  for (const fleet of fleetSizes) {
    const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));
    try {
      for (const title of ['first', 'the day after']) {
        // The quota also counts calls of the last window that were made before a restart.
        if (title !== 'first') await delay(60_000 / fleet.timesFaster);
        rows.push(formatRow(fleet, title, await runReport(fleet, join(directory, 'app.db'))));
      }
    } finally {
      rmSync(directory, { recursive: true });
    }
  }
  console.log('\nSummaries of a fleet, seconds at the real quota of 50 calls a minute');
  printTable(['', 'calls', 'seconds', 'by the quota alone', 'ratio'], rows);
}

function formatRow(
  { vpsCount, timesFaster }: Fleet,
  title: string,
  { calls, elapsedMs }: ReportRun,
): string[] {
  const seconds = (elapsedMs * timesFaster) / 1_000;
  // The lane sends one full share at once, and another full share in each following minute.
  const ideal = (Math.ceil(calls / backgroundLimit) - 1) * 60;
  const ratio = ideal > 0 ? (seconds / ideal).toFixed(3) : '';
  return [`${vpsCount} VPS, ${title}`, String(calls), seconds.toFixed(1), String(ideal), ratio];
}

/** Runs a report in a new app. The database can be new or already exist. */
async function runReport({ vpsCount, timesFaster }: Fleet, databasePath: string): Promise<ReportRun> {
  const windowMs = 60_000 / timesFaster;
  const stack = await createStack({
    hosting: { port: 0, vpsCount, windowMs },
    slack: { port: 0, manifest: manifestPath },
    databaseUrl: `sqlite:${databasePath}`,
    encryptionKey: new Uint8Array(32),
    log: pino({ level: 'silent' }),
  });
  try {
    const slack = createSlackDriver(stack.slack.url);
    const service = createHostingDriver(stack.hosting.url);
    const before = (await service.calls()).length;
    const startedMs = performance.now();
    await slack.slash('report run');
    await waitForReport(async () =>
      (await slack.messages('U0ALICE', 'U0ALICE')).some(({ text }) => /needs? a look|stands out/.test(text)),
    );
    const elapsedMs = performance.now() - startedMs;
    return { calls: (await service.calls()).length - before, elapsedMs };
  } finally {
    await stack.close();
  }
}

async function waitForReport(isPosted: () => Promise<boolean>): Promise<void> {
  const giveUpMs = performance.now() + 5 * 60_000;
  while (!(await isPosted())) {
    if (performance.now() > giveUpMs) throw new Error('no report was posted');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

if (import.meta.main) await benchReports();
