import { vpsName } from '../../../hosting/endpoints/fields.ts';
import { getLiveMonitoring } from '../../../hosting/endpoints/monitoring.ts';
import { listVps } from '../../../hosting/endpoints/vps.ts';
import { saysNone } from '../../../hosting/payloads/entries.ts';
import { readLiveMetrics } from '../../../hosting/payloads/live-metrics.ts';
import { findPagesRead } from '../../../hosting/payloads/pages.ts';
import { readVpsList, type VpsList } from '../../../hosting/payloads/vps.ts';
import type { Read } from '../../../operations/define/read.ts';
import { isSingleReadError, readEach } from '../../shared/fleet-reads.ts';
import { isVpsSelected, type SelectableVps, withOwnAliases } from '../../shared/vps-selection.ts';
import type { Watch } from '../watch.ts';
import type { Observation } from './evaluate-condition.ts';
import { toUnreadReason, type UnreadReason } from './unread-reason.ts';

export interface ObservedFleet {
  /** The service's names for the states, by VPS name. Undefined if unknown. */
  readonly states: ReadonlyMap<string, string | undefined>;
  readonly aliases?: ReadonlyMap<string, SelectableVps['aliases']>;
  /** Whether the service says that the list has more pages. */
  readonly mayHaveMore: boolean;
  /** How many calls the full list takes. */
  readonly listCalls: number;
  /** When a multi-page list was read, which can be some minutes ago. */
  readonly readAtMs?: number;
}

/** The account's VPS, or why they can't be listed. */
export type FleetObservation =
  | { readonly kind: 'listed'; readonly fleet: ObservedFleet }
  | { readonly kind: 'unread'; readonly reason: UnreadReason };

/** Lists the VPS. Rejects if the API key is missing or rejected, or this process is stopping. */
export async function observeFleet(
  read: Read,
  ownAliases: ReadonlyMap<string, string>,
): Promise<FleetObservation> {
  const reading = await readUnlessFatal(read(listVps, {}, { lane: 'background' }));
  if (reading.kind === 'failed') return { kind: 'unread', reason: reading.reason };
  const { pages = 1, allPages = 1, atMs } = findPagesRead(reading.data) ?? {};
  const list = readVpsList(reading.data);
  // Counting this as an empty list would make every VPS look deleted.
  if (list.vps.length === 0 && !saysNone(reading.data)) return { kind: 'unread', reason: 'notShown' };
  return {
    kind: 'listed',
    fleet: {
      ...toObservedFleet({ ...list, vps: withOwnAliases(list.vps, ownAliases) }, allPages),
      ...(pages > 1 && atMs !== undefined && { readAtMs: atMs }),
    },
  };
}

export function toObservedFleet({ vps, hasMore }: VpsList, listCalls: number): ObservedFleet {
  return {
    states: new Map(vps.map(({ name, state }) => [name, state])),
    aliases: new Map(vps.map(({ name, aliases }) => [name, aliases])),
    mayHaveMore: hasMore,
    listCalls,
  };
}

export function selectNames(selection: string, { states, aliases }: ObservedFleet): readonly string[] {
  return [...states.keys()].filter((name) => isVpsSelected(selection, { name, aliases: aliases?.get(name) }));
}

/** Returns the VPS whose live data the watches need, sorted by name. */
export function vpsToObserve(
  watches: readonly Pick<Watch, 'vps' | 'condition'>[],
  { states, aliases }: ObservedFleet,
): readonly string[] {
  return [...states]
    .filter(([name, state]) =>
      watches.some(
        ({ vps, condition }) =>
          isVpsSelected(vps, { name, aliases: aliases?.get(name) }) &&
          (condition.measure !== 'state' || state === undefined),
      ),
    )
    .map(([name]) => name)
    .sort();
}

/** Returns the VPS that follow the last one read, wrapping around at the end. */
export function nextInRotation(
  vps: readonly string[],
  last: string | null,
  maxCount: number,
): readonly string[] {
  const behind = last === null ? 0 : vps.findIndex((name) => name > last);
  const start = behind === -1 ? 0 : behind;
  return [...vps.slice(start), ...vps.slice(0, start)].slice(0, maxCount);
}

/**
 * Reads the live data of several VPS. All observations get the same timestamp. A failed reading has a reason instead of
 * data. Rejects in the same cases as `observeFleet`.
 */
export async function observeVps(
  names: readonly string[],
  { read, atMs, signal }: { readonly read: Read; readonly atMs: number; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, Observation>> {
  const observe = async (name: string): Promise<Observation> => {
    if (!vpsName.safeParse(name).success) return { atMs, live: undefined };
    const reading = await readUnlessFatal(
      read(getLiveMonitoring, { params: { vps_name: name } }, { lane: 'background' }),
    );
    return reading.kind === 'failed'
      ? { atMs, live: undefined, failure: reading.reason }
      : { atMs, live: readLiveMetrics(reading.data, name) };
  };
  return new Map(await readEach(names, async (name) => [name, await observe(name)] as const, signal));
}

async function readUnlessFatal<T>(
  reading: Promise<T>,
): Promise<
  { readonly kind: 'read'; readonly data: T } | { readonly kind: 'failed'; readonly reason: UnreadReason }
> {
  try {
    return { kind: 'read', data: await reading };
  } catch (error) {
    if (!isSingleReadError(error)) throw error;
    return { kind: 'failed', reason: toUnreadReason(error.code) };
  }
}
