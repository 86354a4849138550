import { parseArgs } from 'node:util';
import { applySabotage, type Sabotage, sabotages } from './sabotage.ts';
import type { World } from './world.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    /** Takes a guard out. The name is one of `sabotages`. */
    sabotage: { type: 'string' },
    /** Ends at the first seed that fails. */
    bail: { type: 'boolean', default: false },
  },
});

const sabotage: Sabotage | undefined = Object.entries(sabotages).find(
  ([name]) => name === values.sabotage,
)?.[1];
if (values.sabotage !== undefined && !sabotage) throw new Error(`no sabotage ${values.sabotage}`);
if (sabotage) applySabotage(sabotage);
// Loaded now, so that the sabotage applies.
const { openSharedDatabase } = await import('./machine/shared-database.ts');
const { simulate } = await import('./simulate.ts');
const { createWorld } = await import('./world.ts');

const print = (...words: readonly string[]) => process.stdout.write(`${words.join(' ')}\n`);

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
