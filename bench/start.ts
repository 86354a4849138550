import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../test/services/find-free-port.ts';
import { buildBundle, createSettings, programs, startProgram } from './program.ts';
import { median } from './statistics.ts';

const rounds = 5;
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
    'the bundle': [programs.bundle],
    'the source': [programs.source],
  };
  const starts = new Map<string, { readyMs: number; cpuMs: number; memoryMb: number }[]>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, args] of Object.entries(commands)) {
      const program = await startProgram(args, settings);
      const cpuMs = program.cpuMs();
      await delay(idleMs);
      const start = { readyMs: program.readyMs, cpuMs, memoryMb: program.memoryMb() };
      await program.kill();
      // The first start creates the database.
      if (round > 0) starts.set(name, [...(starts.get(name) ?? []), start]);
    }
  }
  rmSync(directory, { recursive: true });
  console.log(`\nStarts, medians of ${rounds}`);
  console.table(
    Object.fromEntries(
      [...starts].map(([name, all]) => [
        name,
        {
          'ready, ms': Math.round(median(all.map(({ readyMs }) => readyMs))),
          'CPU until ready, ms': Math.round(median(all.map(({ cpuMs }) => cpuMs))),
          'memory, MB': Math.round(median(all.map(({ memoryMb }) => memoryMb))),
        },
      ]),
    ),
  );
}
