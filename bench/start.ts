import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../test/services/find-free-port.ts';
import { buildBundle, bundlePath, createSettings, percentile, startProgram } from './program.ts';

const rounds = 5;
const median = (values: readonly number[]) => Math.round(percentile(values, 0.5));
/** When the memory is read, after the program is ready. */
const idleMs = 500;

/** Measures starts with an existing database: the bundle, the source, and a Bolt app that only acks. */
export async function benchStart(): Promise<void> {
  buildBundle();
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));
  const port = await findFreePort();
  const settings = createSettings(`sqlite:${join(directory, 'rackhand.db')}`, port);
  const commands = {
    'bare Bolt': ['bench/bolt-app.mjs', String(port)],
    'the bundle': [bundlePath],
    'the source': ['src/main.ts'],
  };
  const rows: Record<string, object> = {};
  for (const [name, args] of Object.entries(commands)) {
    const starts: { readonly readyMs: number; readonly cpuMs: number; readonly memoryMb: number }[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const program = await startProgram(args, settings);
      const cpuMs = program.cpuMs();
      await delay(idleMs);
      // The first start creates the database.
      if (round > 0) starts.push({ readyMs: program.readyMs, cpuMs, memoryMb: program.memoryMb() });
      await program.kill();
    }
    rows[name] = {
      'ready, ms': median(starts.map(({ readyMs }) => readyMs)),
      'CPU until ready, ms': median(starts.map(({ cpuMs }) => cpuMs)),
      'memory, MB': median(starts.map(({ memoryMb }) => memoryMb)),
    };
  }
  rmSync(directory, { recursive: true });
  console.log(`\nStarts, medians of ${rounds}`);
  console.table(rows);
}
