import type { Selectable } from 'kysely';
import type { Schema } from '../../../src/db/schema/schema.ts';
import type { Arrival } from '../outside/hosting-service.ts';
import { oldSnapshot } from '../outside/service-snapshots.ts';
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

/** The calls of the operations that the simulation knows, after the name of the VPS. */
const callPaths: Readonly<Record<string, string>> = {
  reboot: 'action',
  'snapshot create': 'snapshots',
  'snapshot restore': `snapshots/${oldSnapshot}/restore`,
};

/** Whether a run makes a call that changes something. A batch leaves that to its parts. */
export function makesCall({ operation, input }: Pick<RunRow, 'operation' | 'input'>): boolean {
  return operation in callPaths && JSON.parse(input).snapshotFirst === undefined;
}

/** Whether a schedule requested the run. */
export function isScheduled({ request_key }: Pick<RunRow, 'request_key'>): boolean {
  return request_key?.startsWith('schedule:') ?? false;
}

export function formatName({ operation, target, status }: RunRow): string {
  return `${operation} ${target ?? ''} (${status})`;
}

/** Returns the calls of an operation on a VPS that arrived at the service. */
export function listCalls(
  { service }: World,
  { operation, target }: Pick<RunRow, 'operation' | 'target'>,
): readonly Arrival[] {
  const wanted = `/v1/vps/${target}/${callPaths[operation]}`;
  return service.arrivals.filter(({ method, path }) => method === 'POST' && path === wanted);
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

/** Another process can have been frozen after it read what it then acts on. */
export function longestFreezeMs(world: World): number {
  const names = world.events.flatMap((event) => (event.kind === 'frozen' ? [event.processName] : []));
  return Math.max(0, ...names.map((name) => frozenMs(world, name)));
}

/** Returns how long processes were frozen between two times, altogether. */
export function frozenBetweenMs({ events }: World, fromMs: number, untilMs: number): number {
  const frozenAt = new Map<string, number>();
  let sum = 0;
  const add = (name: string, endMs: number) => {
    const beganMs = frozenAt.get(name);
    if (beganMs !== undefined) sum += Math.max(0, Math.min(endMs, untilMs) - Math.max(beganMs, fromMs));
    frozenAt.delete(name);
  };
  for (const event of events) {
    if (event.kind === 'frozen') frozenAt.set(event.processName, event.atMs);
    if (event.kind === 'thawed' || event.kind === 'crashed') add(event.processName, event.atMs);
  }
  for (const name of [...frozenAt.keys()]) add(name, untilMs);
  return sum;
}
