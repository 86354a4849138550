import type { LiveMetrics } from '../../../hosting/payloads/live-metrics.ts';
import { isOffState } from '../../../operations/vps/state-words.ts';
import { type Condition, type MetricCondition, recoveryThreshold } from '../condition.ts';
import type { UnreadReason } from './unread-reason.ts';

/**
 * What a reading means for a condition:
 * - `met`: the reading meets the condition.
 * - `recovering`: the figure no longer meets the condition, but is still close to the threshold. An
 * alert continues.
 * - `recovered`: the figure is well clear of the threshold, or the state is as wanted.
 * - `unread`: the VPS couldn't be read.
 * - `gone`: the VPS no longer exists.
 * - `unselected`: the watch no longer selects the VPS.
 */
export type ConditionResult = 'met' | 'recovering' | 'recovered' | 'unread' | 'gone' | 'unselected';

export interface Evaluation {
  readonly atMs: number;
  readonly result: ConditionResult;
  /** Set only for `unread`. */
  readonly unreadReason?: UnreadReason;
  readonly figure?: number;
  /** The service's name for the state. */
  readonly state?: string;
}

/** A reading of a VPS. `live` is undefined if reading it failed or wasn't needed. */
export interface Observation {
  readonly atMs: number;
  readonly live?: LiveMetrics | undefined;
  readonly failure?: UnreadReason | undefined;
  readonly state?: string | undefined;
}

export function evaluateCondition(
  watched: Condition,
  { atMs, live, failure = 'failed', state }: Observation,
): Evaluation {
  if (watched.measure === 'state') {
    const word = state ?? live?.state;
    if (word === undefined) return unread(atMs, live ? 'notShown' : failure);
    return { atMs, result: isConditionMet(watched, { state: word }) ? 'met' : 'recovered', state: word };
  }
  const figure = live && metricOf(watched, live);
  if (figure === undefined || !Number.isFinite(figure)) {
    if (!live) return unread(atMs, failure);
    return unread(atMs, isOffState(state ?? live.state) ? 'off' : 'notShown');
  }
  if (live && isAllZero(live) && !isOffState(state ?? live.state)) return unread(atMs, 'allZero');
  return { atMs, result: toResult(watched, figure), figure };
}

const usageFields = [
  'cpuPercent',
  'memoryPercent',
  'diskPercent',
  'networkInBytesPerS',
  'networkOutBytesPerS',
] as const satisfies readonly (keyof LiveMetrics)[];

/**
 * Returns whether every figure is zero, which is impossible for a running VPS. Services return this while they can't
 * measure.
 */
function isAllZero(live: LiveMetrics): boolean {
  const figures = usageFields.flatMap((field) => live[field] ?? []);
  return figures.length > 1 && figures.every((figure) => figure === 0);
}

function unread(atMs: number, unreadReason: UnreadReason): Evaluation {
  return { atMs, result: 'unread', unreadReason };
}

/** Returns whether a figure or state meets a condition. An unknown (`null`) figure or state counts as meeting it. */
export function isConditionMet(
  watched: Condition,
  { latest = null, state = null }: { readonly latest?: number | null; readonly state?: string | null },
): boolean {
  if (watched.measure === 'state')
    return state === null || (state.toLowerCase() === watched.state.toLowerCase()) === (watched.is === 'is');
  return latest === null || (watched.is === 'over' ? latest > watched.figure : latest < watched.figure);
}

function toResult(watched: MetricCondition, figure: number): ConditionResult {
  if (isConditionMet(watched, { latest: figure })) return 'met';
  const back = recoveryThreshold(watched);
  return (watched.is === 'over' ? figure <= back : figure >= back) ? 'recovered' : 'recovering';
}

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
      return inward === undefined || outward === undefined ? undefined : inward + outward;
    }
  }
}
