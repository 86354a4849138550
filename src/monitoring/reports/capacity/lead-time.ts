import { estimateReportMs, type Throughput } from '../../shared/throughput.ts';

/** A report never starts earlier than this before its due time. */
export const maxLeadTimeMs = 6 * 60 * 60_000;

/** The number of calls that an occurrence of a report needs, and the data that they read. */
export interface OccurrenceCost {
  readonly dueMs: number;
  readonly calls: number;
  /** Identifies the data to read. Equal for reports that read the same data. */
  readonly readsKey: string;
}

/** Reports that are due within this time of each other can share the data that they read. */
const sharedWithinMs = 60_000;

/**
 * Returns how many ms before its due time a report must start, given the other reports that are
 * collected in that time. `isSharing` says whether reports share their readings.
 */
export function leadTimeMs(
  own: OccurrenceCost,
  others: readonly OccurrenceCost[],
  throughput: Throughput,
  isSharing: boolean,
): number {
  const counted = [own];
  const isShared = (cost: OccurrenceCost) =>
    isSharing &&
    counted.some(
      ({ readsKey, dueMs }) => readsKey === cost.readsKey && Math.abs(dueMs - cost.dueMs) <= sharedWithinMs,
    );
  for (;;) {
    const calls = counted.reduce((sum, coming) => sum + coming.calls, 0);
    const lengthMs = estimateReportMs(calls, throughput);
    const beginMs = own.dueMs - lengthMs;
    const next = others.find(
      (other) =>
        !counted.includes(other) &&
        !isShared(other) &&
        other.dueMs > beginMs &&
        other.dueMs - estimateReportMs(other.calls, throughput) < own.dueMs,
    );
    if (!next) return lengthMs;
    counted.push(next);
  }
}
