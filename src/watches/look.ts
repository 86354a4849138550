import { RackhandError } from '../error.ts';
import { getLiveMonitoring } from '../hosting/endpoints/monitoring.ts';
import { listVps } from '../hosting/endpoints/vps.ts';
import { vpsName } from '../hosting/fields.ts';
import { readLive } from '../hosting/readings/live.ts';
import { readVpsList } from '../hosting/readings/vps.ts';
import type { Read } from '../operations/operation.ts';
import { fitsOneOf } from '../workspaces/rights/patterns.ts';
import type { Seen } from './judge.ts';
import type { Watch } from './watch.ts';

/** VPS that are read at the same time: more would only wait for the quota. */
const atOnce = 8;

/** The VPS of an account. */
export interface Fleet {
  /** Each with the service's own word for its state, if it says one. */
  readonly states: ReadonlyMap<string, string | undefined>;
  /** Whether what is not among them may still exist. */
  readonly mayHaveMore: boolean;
}

/** Reads which VPS there are; nothing where that cannot be read now. Rejects where the key is lost, or this process stops. */
export async function readFleet(read: Read): Promise<Fleet | undefined> {
  const list = await unlessFatal(read(listVps, {}, { lane: 'background' }).then(readVpsList));
  return (
    list && {
      states: new Map(list.vps.map(({ name, state }) => [name, state])),
      mayHaveMore: list.mayHaveMore,
    }
  );
}

/** Lists the VPS whose live data the watches need, in their order. */
export function vpsToRead(
  watches: readonly Pick<Watch, 'vps' | 'condition'>[],
  { states }: Fleet,
): readonly string[] {
  return [...states]
    .filter(([name, state]) =>
      watches.some(
        ({ vps, condition }) =>
          fitsOneOf(vps, name) && (condition.measure !== 'state' || state === undefined),
      ),
    )
    .map(([name]) => name)
    .sort();
}

/** Gives those that come next behind the one that was read last, round and round. */
export function nextToRead(vps: readonly string[], last: string | null, most: number): readonly string[] {
  const behind = last === null ? 0 : vps.findIndex((name) => name > last);
  const start = behind === -1 ? 0 : behind;
  return [...vps.slice(start), ...vps.slice(0, start)].slice(0, most);
}

/** Reads how VPS do, each once, as of one moment; what could not be read has no live data. Rejects as `readFleet` does. */
export async function readEach(
  names: readonly string[],
  { read, atMs, signal }: { readonly read: Read; readonly atMs: number; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, Seen>> {
  const seen = new Map<string, Seen>();
  const waiting = names.values();
  const readNext = async () => {
    for (const name of waiting) {
      signal.throwIfAborted();
      const live = vpsName.safeParse(name).success
        ? await unlessFatal(
            read(getLiveMonitoring, { params: { vps_name: name } }, { lane: 'background' }).then((data) =>
              readLive(data, name),
            ),
          )
        : undefined;
      seen.set(name, { atMs, live });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, readNext));
  return seen;
}

/** Errors that concern all VPS alike, or this process. */
const fatal: readonly RackhandError['code'][] = ['key_missing', 'key_rejected', 'not_installed', 'stopped'];

async function unlessFatal<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof RackhandError) || fatal.includes(error.code)) throw error;
    return undefined;
  }
}
