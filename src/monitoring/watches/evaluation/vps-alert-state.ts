import { z } from 'zod';
import { recoveryReadings } from '../condition.ts';
import type { Evaluation } from './evaluate-condition.ts';
import { unreadReasons } from './unread-reason.ts';

/** A watch's stored state of one VPS. VPS that are readable and don't meet the condition aren't stored. */
export const vpsAlertState = z.object({
  /** The time of the reading since which the condition has held without interruption. */
  sinceMs: z.number().nullable(),
  readMs: z.number().nullable(),
  unreadMs: z.number().nullable(),
  unreadReason: z.enum(unreadReasons).nullable().default(null),
  /**
   * When the channel was notified that the VPS can't be read. Cleared with the notice that the VPS can be read again.
   */
  unreadToldMs: z.number().nullable().default(null),
  /** Whether the condition has held long enough for the VPS to be in the alert. */
  isAlerting: z.boolean(),
  /** How many readings in a row were recovered, and when the first of these readings was made. */
  backs: z.int(),
  backMs: z.number().nullable(),
  /** The worst and the latest figure since `sinceMs`. */
  worst: z.number().nullable(),
  latest: z.number().nullable(),
  /** The service's name for the latest state. */
  state: z.string().nullable(),
});

export type VpsAlertState = z.infer<typeof vpsAlertState>;

export const okAlertState: VpsAlertState = {
  sinceMs: null,
  readMs: null,
  unreadMs: null,
  unreadReason: null,
  unreadToldMs: null,
  isAlerting: false,
  backs: 0,
  backMs: null,
  worst: null,
  latest: null,
  state: null,
};

export interface EvaluationRules {
  readonly forMs: number;
  /** Whether the lowest figure is the worst, as with `under`. */
  readonly isLowWorse: boolean;
  /** Maximum time between readings. After a longer gap, the condition's duration starts over. */
  readonly gapMs: number;
  /**
   * Whether maintenance mutes the VPS. A muted VPS starts no alert, but stays in one that it's already in, so an
   * earlier problem isn't reported as new afterwards.
   */
  readonly isMuted?: boolean;
}

/**
 * Advances a VPS by one evaluation. An alert starts when the condition has held in every reading for long enough, and
 * ends after several recovered readings in a row. Failed readings count toward neither.
 */
export function nextVpsAlertState(
  before: VpsAlertState,
  evaluation: Evaluation,
  rules: EvaluationRules,
): VpsAlertState {
  const { atMs, result } = evaluation;
  const { isAlerting } = before;
  if (result === 'gone' || result === 'unselected') return okAlertState;
  if (result === 'unread') {
    const unreadReason = evaluation.unreadReason ?? 'failed';
    return { ...before, isAlerting, unreadMs: Math.min(before.unreadMs ?? atMs, atMs), unreadReason };
  }
  const read = {
    ...before,
    readMs: atMs,
    unreadMs: null,
    unreadReason: null,
    latest: evaluation.figure ?? null,
    state: evaluation.state ?? null,
  };
  if (result === 'met') return continueBreach(before, read, evaluation, rules);
  const { latest, state, unreadToldMs } = read;
  const cleared: VpsAlertState = { ...okAlertState, readMs: atMs, latest, state, unreadToldMs };
  if (!isAlerting) return cleared;
  if (result === 'recovering' || rules.isMuted) return { ...read, isAlerting, backs: 0, backMs: null };
  const backs = before.backs + 1;
  const backMs = before.backMs ?? atMs;
  return backs < recoveryReadings ? { ...read, isAlerting, backs, backMs } : { ...cleared, backMs };
}

function continueBreach(
  before: VpsAlertState,
  read: VpsAlertState,
  { atMs, figure }: Evaluation,
  rules: EvaluationRules,
): VpsAlertState {
  const { forMs, gapMs, isLowWorse, isMuted } = rules;
  const isUnbroken = before.isAlerting || (before.readMs !== null && atMs - before.readMs <= gapMs);
  const runs = before.sinceMs !== null && isUnbroken;
  // If the clock was set back, the duration starts over.
  const sinceMs = runs && before.sinceMs !== null ? Math.min(before.sinceMs, atMs) : atMs;
  const figures = [...(runs && before.worst !== null ? [before.worst] : []), figure ?? []].flat();
  const worst = figures.length === 0 ? null : isLowWorse ? Math.min(...figures) : Math.max(...figures);
  const isAlerting = before.isAlerting || (!isMuted && atMs - sinceMs >= forMs);
  return { ...read, sinceMs, worst, isAlerting, backs: 0, backMs: null };
}

export function shouldStore({ sinceMs, unreadMs, unreadToldMs, isAlerting }: VpsAlertState): boolean {
  return sinceMs !== null || unreadMs !== null || unreadToldMs !== null || isAlerting;
}
