import { callsPerMinute, type Pace } from '../reports/pace.ts';

/**
 * Part of the background lane that watches may fill. The other half is left for reports, whose times are planned beside what watches take, so that
 * neither makes the other late.
 */
export const watchShare = 1 / 2;

/** Of what may leave, one call in ten is left for those that have to be made again; reports leave as much. */
const plannedShare = 0.9;

/** Pause between two rounds. A VPS is read at most once in each. */
export const roundEveryMs = 60_000;

/** Most seldom that a VPS is read: a threshold that is looked at less often is no watch. */
export const longestEveryMs = 15 * 60_000;

/** How the VPS of a workspace's watches are gone round. */
export interface WatchPace {
  /** VPS that are read in one round. */
  readonly perRound: number;
  /** How often each is read. */
  readonly everyMs: number;
}

/** Tells how so many VPS are gone round, beside reports that make so many calls a minute in the mean. */
export function paceOf(vpsCount: number, lane: Pace, reportsPerMinute: number): WatchPace {
  const perMinute = callsPerMinute(lane);
  const most = Math.min(perMinute * watchShare, perMinute * plannedShare - reportsPerMinute);
  const mostInRound = Math.max(1, Math.floor((most * roundEveryMs) / 60_000) - 1);
  const perRound = Math.min(mostInRound, Math.max(vpsCount, 1));
  return {
    perRound,
    everyMs: Math.max(1, Math.ceil(vpsCount / perRound)) * roundEveryMs,
  };
}
