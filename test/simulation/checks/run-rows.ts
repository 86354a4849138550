import type { Selectable } from 'kysely';
import type { Schema } from '../../../src/db/schema/schema.ts';
import type { Arrival } from '../outside/hosting-service.ts';
import { listVps, type World } from '../world.ts';

export type RunRow = Selectable<Schema['run']>;

/** A call arrives at most this long after its last check, unless its process was frozen. */
export const sendMarginMs = 5_000;

export function listRuns({ shared }: World): Promise<RunRow[]> {
  return shared.db.selectFrom('run').selectAll().execute();
}

/** Returns the VPS that a stored run changes. */
export function listVpsOf({ input, target }: Pick<RunRow, 'input' | 'target'>): readonly string[] {
  return listVps({ input: JSON.parse(input), target });
}

/** Returns the reboots of a VPS that arrived at the service. */
export function listReboots({ service }: World, vps: string | null): readonly Arrival[] {
  return service.arrivals.filter(({ method, path }) => method === 'POST' && path === `/v1/vps/${vps}/action`);
}

export function hasClockChange({ events }: World): boolean {
  return events.some(({ kind }) => kind === 'clockChanged');
}

/** Converts a stored time to the time of the events. Wrong if the clock was changed. */
export function toEventMs({ time }: World, storedMs: number): number {
  return storedMs - (time.wallNow() - time.now());
}

/** Returns how long a process was frozen in all. */
export function frozenMs({ events }: World, processName: string): number {
  let sum = 0;
  let frozenAtMs: number | undefined;
  for (const event of events) {
    if (!('processName' in event) || event.processName !== processName) continue;
    if (event.kind === 'frozen') frozenAtMs = event.atMs;
    if (event.kind !== 'thawed') continue;
    sum += event.atMs - (frozenAtMs ?? 0);
    frozenAtMs = undefined;
  }
  return frozenAtMs === undefined ? sum : Number.POSITIVE_INFINITY;
}
