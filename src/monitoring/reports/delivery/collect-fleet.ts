import { type rrdRanges, vpsName } from '../../../hosting/endpoints/fields.ts';
import { getLiveMonitoring, getRrdMonitoring } from '../../../hosting/endpoints/monitoring.ts';
import { listVps } from '../../../hosting/endpoints/vps.ts';
import { type RrdHistory, readRrdHistory } from '../../../hosting/payloads/history.ts';
import { readLiveMetrics } from '../../../hosting/payloads/live-metrics.ts';
import { readVpsList, type Vps } from '../../../hosting/payloads/vps.ts';
import type { Read } from '../../../operations/define/read.ts';
import { createVpsLabels } from '../../../operations/format/vps-label.ts';
import type { Period } from '../../../time/periods.ts';
import { dayMs } from '../../../time/units.ts';
import { isSingleReadError, readEach } from '../../shared/fleet-reads.ts';
import { type SelectableVps, withOwnAliases } from '../../shared/vps-selection.ts';
import type { AnalysisScope } from '../findings/find-findings.ts';
import { buildVpsReport, type ReadFailure, type VpsReadings, type VpsReport } from '../summary/vps-report.ts';

type Range = (typeof rrdRanges)[number];

/**
 * Maximum ages of cached readings: `now` for the VPS list and live data, `history` for the period's
 * history, `usual` for the histories used for comparison. All reports in a workspace share the cache.
 */
const cacheMaxAgeMs = { now: 2 * 60_000, history: 10 * 60_000, usual: 60 * 60_000 } as const;

export interface CollectOptions extends AnalysisScope {
  readonly read: Read;
  /** The team's aliases, by VPS name. */
  readonly ownAliases: ReadonlyMap<string, string>;
  readonly isSelected: (vps: SelectableVps) => boolean;
  /** Called with the selected VPS names before any VPS is read. If it rejects, nothing is read. */
  readonly onSelected?: ((names: readonly string[]) => Promise<void>) | undefined;
  /** Called with the number of selected VPS read so far, and the number of all selected VPS. */
  readonly onProgress?: (done: number, all: number) => void;
  /** Stops the collection between two VPS. The promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface CollectedFleet<One> {
  readonly reports: readonly One[];
  /** Whether the service says that the list has more pages. */
  readonly mayHaveMore: boolean;
  /** VPS labels for messages, by VPS name. */
  readonly labels: ReadonlyMap<string, string>;
}

/** Returns the history ranges that a report needs. A daily report also needs the week before, for comparison. */
function historyRanges({ fromMs, untilMs }: Period): readonly Range[] {
  if (untilMs - fromMs <= dayMs) return ['day', 'week'];
  return untilMs - fromMs <= 7 * dayMs ? ['week'] : ['month'];
}

interface ReadingCounts {
  readonly vpsCount: number;
  readonly listCalls?: number;
}

/**
 * Returns the maximum number of calls for a report: those for the VPS list, plus live data and histories for each VPS.
 */
export function countCalls(period: Period, { vpsCount, listCalls = 1 }: ReadingCounts): number {
  return listCalls + vpsCount * (1 + historyRanges(period).length);
}

/**
 * Reads a fleet for a report. A failed reading is recorded in the VPS's report. Rejects only if the VPS can't be listed
 * or the API key is rejected.
 */
export function collectFleet(options: CollectOptions): Promise<CollectedFleet<VpsReport>> {
  return collectFleetReadings(options, (readings) => buildVpsReport(readings, options));
}

/** Like `collectFleet`, but returns the result of `transform` for each VPS's readings. */
export async function collectFleetReadings<One>(
  options: CollectOptions,
  transform: (readings: VpsReadings) => One,
): Promise<CollectedFleet<One>> {
  const { read, ownAliases, isSelected, onSelected, signal, onProgress } = options;
  const { vps, hasMore } = readVpsList(
    await read(listVps, {}, { maxAgeMs: cacheMaxAgeMs.now, ...backgroundLane }),
  );
  const unique = [...new Map(vps.map((one) => [one.name, one])).values()];
  const selected = withOwnAliases(unique, ownAliases).filter(isSelected);
  await onSelected?.(selected.map(({ name }) => name));
  let done = 0;
  const reports = await readEach(
    selected,
    async (one) => {
      const report = transform(await readVpsReadings(one, options));
      done += 1;
      onProgress?.(done, selected.length);
      return report;
    },
    signal,
  );
  return { reports, mayHaveMore: hasMore, labels: createVpsLabels(vps, ownAliases) };
}

const backgroundLane = { lane: 'background' } as const;

async function readVpsReadings({ name, state }: Vps, { read, period }: CollectOptions): Promise<VpsReadings> {
  const params = { vps_name: name };
  if (!vpsName.safeParse(name).success) {
    const unread: ReadFailure = { what: 'history', reason: "This isn't a valid VPS name." };
    return { name, state, histories: [], readFailures: [unread] };
  }
  const unread: ReadFailure[] = [];
  async function attempt<T>(what: ReadFailure['what'], reading: Promise<T>): Promise<T | undefined> {
    try {
      return await reading;
    } catch (error) {
      if (!isSingleReadError(error)) throw error;
      unread.push({ what, reason: error.message });
      return undefined;
    }
  }
  const live = await attempt(
    'live data',
    read(getLiveMonitoring, { params }, { maxAgeMs: cacheMaxAgeMs.now, ...backgroundLane }).then((data) =>
      readLiveMetrics(data, name),
    ),
  );
  const readRange = (range: Range, maxAgeMs: number) =>
    attempt(
      'history',
      read(getRrdMonitoring, { params, query: { range } }, { maxAgeMs, ...backgroundLane }).then((data) =>
        readRrdHistory(data, name),
      ),
    );
  const histories: RrdHistory[] = [];
  for (const [index, range] of historyRanges(period).entries()) {
    const history = await readRange(range, index === 0 ? cacheMaxAgeMs.history : cacheMaxAgeMs.usual);
    if (history) histories.push(history);
  }
  return { name, state, live, histories, readFailures: uniqueFailures(unread) };
}

/** Keeps one failure per reason. */
function uniqueFailures(unread: readonly ReadFailure[]): readonly ReadFailure[] {
  return [...new Map(unread.map((one) => [`${one.what} ${one.reason}`, one])).values()];
}
