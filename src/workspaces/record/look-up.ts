import { setImmediate as breathe } from 'node:timers/promises';
import type { Page } from './arguments.ts';
import type { Extent, Position, RecordStore } from './record-store.ts';
import type { RecordedRun } from './recorded-run.ts';
import type { Sight } from './sight.ts';

/** Runs on one page: what can be looked through on a phone. */
export const pageRuns = 25;

/** Runs that are read at first, and at once after that: 200 keep the event loop for some 10 ms with an embedded database. */
const firstRuns = 2 * pageRuns;
const pieceRuns = 200;

/** Runs that are read for one page at most, where few of them are wanted: with the next page it goes on. */
const mostRead = firstRuns + 25 * pieceRuns;

export interface LookedUp {
  /** Newest first. */
  readonly runs: readonly RecordedRun[];
  /** Where it goes on, where there is or may be more. */
  readonly older?: Position;
  readonly newer?: Position;
  /** How far back it was looked, where that was given up before the page was full. */
  readonly lookedToMs?: number;
}

/** Reads a page of those runs that are wanted, without reading the whole record. */
export async function lookUp(
  store: Pick<RecordStore, 'read'>,
  extent: Extent,
  isWanted: Sight,
  page?: Page,
): Promise<LookedUp> {
  const { direction, from } = page ?? { direction: 'older' };
  const { runs, on, lookedTo } = await gather(store, extent, isWanted, { direction, from });
  if (direction === 'newer') {
    // The way back ends at the first page, as full as it is by now.
    if (!on) return lookUp(store, extent, isWanted);
    return { runs: runs.toReversed(), older: positionOf(runs[0]) ?? on, newer: on };
  }
  return {
    runs,
    ...(on && { older: on }),
    ...(from && { newer: positionOf(runs[0]) ?? from }),
    ...(lookedTo && { lookedToMs: lookedTo.requestedMs }),
  };
}

interface Gathered {
  /** In the order in which they were read. */
  readonly runs: readonly RecordedRun[];
  /** Where it goes on. */
  readonly on?: Position | undefined;
  /** Where it was given up. */
  readonly lookedTo?: Position | undefined;
}

/** Reads on from a position until there are enough wanted runs, or it has read enough. */
async function gather(
  store: Pick<RecordStore, 'read'>,
  extent: Extent,
  isWanted: Sight,
  { direction, from }: { readonly direction: Page['direction']; readonly from: Position | undefined },
): Promise<Gathered> {
  const found: RecordedRun[] = [];
  let at = from;
  for (let read = 0; read < mostRead; ) {
    if (read > 0) await breathe();
    const most = read === 0 ? firstRuns : pieceRuns;
    const piece = await store.read(extent, { direction, from: at, most });
    found.push(...piece.filter(isWanted));
    const runs = found.slice(0, pageRuns);
    // One more than the page holds tells that there is another page.
    if (found.length > pageRuns) return { runs, on: positionOf(runs.at(-1)) };
    if (piece.length < most) return { runs };
    at = positionOf(piece.at(-1));
    read += piece.length;
  }
  return { runs: found, on: at, lookedTo: at };
}

function positionOf(run: RecordedRun | undefined): Position | undefined {
  return run && { requestedMs: run.requestedMs, id: run.id };
}
