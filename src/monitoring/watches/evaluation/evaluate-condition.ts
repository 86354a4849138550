import type { LiveMetrics } from '../../../hosting/profile/metrics/live-metrics.ts';
import { isOffState } from '../../shared/off-state.ts';
import { type Condition, type MetricCondition, recoveryThreshold } from '../condition/condition.ts';

/**
 * The meaning of a reading for a condition:
 * - `over`: the condition holds. Also used for thresholds with `under`.
 * - `near`: the condition no longer holds, but the figure hasn't recovered either. This doesn't end
 * an alert.
 * - `back`: the figure has recovered.
 * - `unread`: the VPS could not be read.
 * - `gone`: the VPS doesn't exist anymore.
 */
export type Verdict = 'over' | 'near' | 'back' | 'unread' | 'gone';

/**
 * Why a VPS can't be evaluated: the call failed, the service's reply lacks the figure or state, or
 * the VPS is off and therefore has no figure.
 */
export const unreadReasons = ['failed', 'notShown', 'off'] as const;

export type UnreadReason = (typeof unreadReasons)[number];

/** The meaning of one reading of one VPS for a condition. */
export interface Evaluation {
  readonly atMs: number;
  readonly verdict: Verdict;
  /** Set only for the verdict `unread`. */
  readonly unreadReason?: UnreadReason;
  readonly figure?: number;
  /** As the service names it. */
  readonly state?: string;
}

/** A reading of a VPS. The live data is undefined if it could not be read. */
export interface Observation {
  readonly atMs: number;
  readonly live?: LiveMetrics | undefined;
  readonly state?: string | undefined;
}

/** Evaluates an observation of a VPS against a condition. */
export function evaluateCondition(watched: Condition, { atMs, live, state }: Observation): Evaluation {
  if (watched.measure === 'state') {
    const word = state ?? live?.state;
    if (word === undefined) return unread(atMs, live ? 'notShown' : 'failed');
    return { atMs, verdict: isConditionMet(watched, { state: word }) ? 'over' : 'back', state: word };
  }
  const figure = live && metricOf(watched, live);
  if (figure === undefined || !Number.isFinite(figure)) {
    if (!live) return unread(atMs, 'failed');
    return unread(atMs, isOffState(state ?? live.state) ? 'off' : 'notShown');
  }
  return { atMs, verdict: toVerdict(watched, figure), figure };
}

function unread(atMs: number, unreadReason: UnreadReason): Evaluation {
  return { atMs, verdict: 'unread', unreadReason };
}

/** Returns whether a figure or state meets a condition. An unknown one counts as meeting the condition. */
export function isConditionMet(
  watched: Condition,
  { latest = null, state = null }: { readonly latest?: number | null; readonly state?: string | null },
): boolean {
  if (watched.measure === 'state')
    return state === null || (state.toLowerCase() === watched.state.toLowerCase()) === (watched.is === 'is');
  return latest === null || (watched.is === 'over' ? latest > watched.figure : latest < watched.figure);
}

function toVerdict(watched: MetricCondition, figure: number): Verdict {
  if (isConditionMet(watched, { latest: figure })) return 'over';
  const back = recoveryThreshold(watched);
  return (watched.is === 'over' ? figure <= back : figure >= back) ? 'back' : 'near';
}

/** Returns the live figure that a condition watches. */
export function metricOf({ measure }: MetricCondition, live: LiveMetrics): number | undefined {
  switch (measure) {
    case 'cpu':
      return live.cpuPercent;
    case 'memory':
      return live.memoryPercent;
    case 'disk':
      return live.diskPercent;
    case 'traffic': {
      const { networkInBytesPerS: inward, networkOutBytesPerS: outward } = live;
      if (inward === undefined && outward === undefined) return undefined;
      return (inward ?? 0) + (outward ?? 0);
    }
  }
}
