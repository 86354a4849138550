import { maxPages } from '../../../hosting/client/paged-read.ts';
import { listLifetimeMs } from '../../../hosting/client/read-cache.ts';
import { callsPerMinute, type Throughput } from '../../shared/throughput.ts';

/** The share of the background lane for watches. The rest is for reports and retries. */
export const watchShare = 1 / 2;

/** Interval between the starts of two cycles. A cycle reads a VPS at most once. */
export const cycleIntervalMs = 60_000;

/**
 * Maximum interval between readings of a VPS's figures. If the VPS list is long, states can be read less
 * often, which is enough to find a VPS that stays off.
 */
export const maxIntervalMs = 15 * 60_000;

export interface EvaluationRate {
  readonly vpsPerCycle: number;
  readonly intervalMs: number;
}

/** Returns the interval, in ms, at which states are read from the VPS list: a minute, or longer if the list is long. */
export function stateIntervalMs(listCalls: number): number {
  return Math.max(cycleIntervalMs, listLifetimeMs(readablePages(listCalls)));
}

/** Returns how many pages of a VPS list are read. Later pages are never read. */
export function readablePages(listCalls: number): number {
  return Math.min(listCalls, maxPages);
}

/** Returns the average number of calls per cycle for the VPS list. */
export function listCallsPerCycle(listCalls: number): number {
  return Math.ceil((readablePages(listCalls) * cycleIntervalMs) / stateIntervalMs(listCalls));
}

export function evaluationRate(vpsCount: number, throughput: Throughput, listCalls = 1): EvaluationRate {
  const maxCallsPerMinute = callsPerMinute(throughput) * watchShare;
  const maxVpsPerCycle = Math.max(
    1,
    Math.floor((maxCallsPerMinute * cycleIntervalMs) / 60_000) - listCallsPerCycle(listCalls),
  );
  const vpsPerCycle = Math.min(maxVpsPerCycle, Math.max(vpsCount, 1));
  return {
    vpsPerCycle,
    intervalMs: Math.max(1, Math.ceil(vpsCount / vpsPerCycle)) * cycleIntervalMs,
  };
}
