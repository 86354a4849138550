import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { applySabotage, sabotages } from './sabotage.ts';
import type { World } from './world.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    /** Takes a guard out. The name is one of `sabotages`. */
    sabotage: { type: 'string' },
    /** Takes out each guard in turn, and fails if the checker doesn't notice one. */
    sabotages: { type: 'boolean', default: false },
    /** Ends at the first seed that fails. */
    bail: { type: 'boolean', default: false },
  },
});

const print = (...words: readonly string[]) => process.stdout.write(`${words.join(' ')}\n`);

if (values.sabotages) {
  const missed = await listUnnoticed();
  process.exit(missed.length === 0 ? 0 : 1);
}

const sabotage = sabotages[values.sabotage ?? ''];
if (values.sabotage !== undefined && !sabotage) throw new Error(`no sabotage ${values.sabotage}`);
if (sabotage) applySabotage(sabotage);
// Loaded now, so that the sabotage applies.
const { openSharedDatabase } = await import('./machine/shared-database.ts');
const { simulate } = await import('./simulate.ts');
const { createWorld } = await import('./world.ts');

const firstSeed = Number(values.seed ?? values.from);
const lastSeed = values.seed === undefined ? firstSeed + Number(values.seeds) - 1 : firstSeed;
const shared = await openSharedDatabase();
const startedMs = performance.now();
const statusCounts = new Map<string, number>();
let simulatedCount = 0;
let failedCount = 0;
let crashCount = 0;
let stopCount = 0;
for (let seed = firstSeed; seed <= lastSeed; seed += 1) {
  if (sabotage?.matters?.(createWorld(seed, shared).scenario) === false) continue;
  const { violations, statuses, world } = await simulate(seed, shared);
  simulatedCount += 1;
  for (const status of statuses) statusCounts.set(status, (statusCounts.get(status) ?? 0) + 1);
  crashCount += world.events.filter(({ kind }) => kind === 'crashed').length;
  stopCount += world.events.filter(({ kind }) => kind === 'stopped').length;
  if (values.seed !== undefined) printWorld(world);
  if (violations.length > 0) failedCount += 1;
  for (const violation of violations) print(`seed ${seed}: ${violation}`);
  if (violations.length > 0 && values.bail) break;
}
const durationMs = Math.round(performance.now() - startedMs);
const statusList = [...statusCounts].map(([status, count]) => `${count} ${status}`).join(', ');
print(
  `${simulatedCount} seeds, ${failedCount} failed, ${crashCount} crashes, ${stopCount} stops; runs: ${statusList}; ${durationMs} ms`,
);
await shared.close();
process.exitCode = failedCount === 0 ? 0 : 1;

/** Prints what happened, for a replay. */
function printWorld({ scenario, events, service }: World): void {
  print(JSON.stringify(scenario));
  const changes = service.arrivals.filter(({ method }) => method !== 'GET');
  const lines = [...events, ...changes].sort((one, other) => one.atMs - other.atMs);
  for (const { atMs, ...line } of lines) print(String(Math.round(atMs)).padStart(8), JSON.stringify(line));
}

/** Simulates without each guard, in processes of their own. Returns the guards that nobody missed. */
async function listUnnoticed(): Promise<readonly string[]> {
  const missed: string[] = [];
  for (const [name, { from = 1, within, violation = /./ }] of Object.entries(sabotages)) {
    const seeds = ['--from', `${from}`, '--seeds', `${within}`];
    const output = await simulateApart(...seeds, '--sabotage', name, '--bail');
    const seen = output.split('\n').find((line) => /^seed \d+: /.test(line) && violation.test(line));
    if (seen === undefined) missed.push(name);
    print(`without ${name}: ${seen ?? `nothing was noticed. ${output}`}`);
  }
  return missed;
}

function simulateApart(...args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const command = [fileURLToPath(import.meta.url), ...args];
    execFile(process.execPath, command, { maxBuffer: 2 ** 26 }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}
