import { maxPages } from '../../../hosting/client/paged-read.ts';
import { listLifetimeMs } from '../../../hosting/client/read-cache.ts';
import { callsPerMinute, type Throughput } from '../../shared/throughput.ts';

/** The share of the background lane that watches can use. The rest is for reports and retries. */
export const watchShare = 1 / 2;

/** Interval between the starts of two cycles. A VPS is read at most once in a cycle. */
export const cycleIntervalMs = 60_000;

/**
 * Maximum interval between two readings of a VPS's figures. States in a long list can be read less often, which is
 * enough to find a VPS that stays off.
 */
export const maxIntervalMs = 15 * 60_000;

/** How VPS are read in rotation. */
export interface EvaluationRate {
  /** VPS read in each cycle. */
  readonly vpsPerCycle: number;
  /** How often each VPS is read. */
  readonly intervalMs: number;
}

/** Returns how often the states in a list are read: every minute, or less often for a long list. */
export function stateIntervalMs(listCalls: number): number {
  return Math.max(cycleIntervalMs, listLifetimeMs(readablePages(listCalls)));
}

/** Returns how many pages of a list are read. Later pages are never read. */
export function readablePages(listCalls: number): number {
  return Math.min(listCalls, maxPages);
}

/** Returns how many calls a cycle makes for the list of VPS, on average. */
export function listCallsPerCycle(listCalls: number): number {
  return Math.ceil((readablePages(listCalls) * cycleIntervalMs) / stateIntervalMs(listCalls));
}

/** Returns the rotation for this many VPS. */
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
