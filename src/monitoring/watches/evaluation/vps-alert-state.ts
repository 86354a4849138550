import { z } from 'zod';
import { recoveryReadings } from '../condition/condition.ts';
import type { Evaluation } from './evaluate-condition.ts';
import { unreadReasons } from './unread-reason.ts';

/**
 * The state of one VPS of a watch, as it is stored. VPS that are readable and don't meet the
 * condition aren't stored.
 */
export const vpsAlertState = z.object({
  /** When the first reading was made since which the condition has held without interruption. */
  sinceMs: z.number().nullable(),
  /** When the last reading was made. */
  readMs: z.number().nullable(),
  /** Since when the VPS can't be read. */
  unreadMs: z.number().nullable(),
  /** Why the last reading failed. */
  unreadReason: z.enum(unreadReasons).nullable().default(null),
  /**
   * When the channel was told that the VPS can't be read. Cleared when the channel is told that it
   * can be read again.
   */
  unreadToldMs: z.number().nullable().default(null),
  /** Whether the condition has held for long enough, so that the VPS is in the incident. */
  isAlerting: z.boolean(),
  /** How many readings in a row have recovered, and when the first of them was made. */
  backs: z.int(),
  backMs: z.number().nullable(),
  /** The most extreme and the latest figure since `sinceMs`. */
  worst: z.number().nullable(),
  latest: z.number().nullable(),
  /** The latest state, as the service names it. */
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
  /** How long the condition must hold. */
  readonly forMs: number;
  /** For thresholds with `under`, the lowest figure is the worst. */
  readonly isLowWorse: boolean;
  /** Readings that are further apart than this interrupt the time for which the condition has held. */
  readonly gapMs: number;
  /**
   * A muted VPS starts no alert and leaves the incident. The time for which the condition has held
   * goes on.
   */
  readonly isMuted: boolean;
  /**
   * While someone works on the VPS, it starts no alert, and one that was alerting before stays in its
   * incident. What was wrong before is therefore not reported as new afterwards.
   */
  readonly isSilent?: boolean;
}

/**
 * Advances a VPS by one evaluation. An alert starts when the condition has held in all readings for
 * long enough, and ends after several recovered readings in a row. Failed readings count neither
 * way.
 */
export function nextVpsAlertState(
  before: VpsAlertState,
  evaluation: Evaluation,
  rules: EvaluationRules,
): VpsAlertState {
  const { atMs, result } = evaluation;
  const isAlerting = before.isAlerting && !rules.isMuted;
  if (result === 'gone' || result === 'unselected') return okAlertState;
  if (result === 'unread') {
    const unreadReason = evaluation.unreadReason ?? 'failed';
    return { ...before, isAlerting, unreadMs: before.unreadMs ?? atMs, unreadReason };
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
  if (result === 'recovering' || rules.isSilent) return { ...read, isAlerting, backs: 0, backMs: null };
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
  const { forMs, gapMs, isLowWorse, isMuted, isSilent } = rules;
  const isUnbroken = before.isAlerting || (before.readMs !== null && atMs - before.readMs <= gapMs);
  const runs = before.sinceMs !== null && isUnbroken;
  const sinceMs = runs && before.sinceMs !== null ? before.sinceMs : atMs;
  const figures = [...(runs && before.worst !== null ? [before.worst] : []), figure ?? []].flat();
  const worst = figures.length === 0 ? null : isLowWorse ? Math.min(...figures) : Math.max(...figures);
  const isAlerting = !isMuted && (before.isAlerting || (!isSilent && atMs - sinceMs >= forMs));
  return { ...read, sinceMs, worst, isAlerting, backs: 0, backMs: null };
}

/** Returns whether the state of a VPS has to be stored. */
export function shouldStore({ sinceMs, unreadMs, unreadToldMs, isAlerting }: VpsAlertState): boolean {
  return sinceMs !== null || unreadMs !== null || unreadToldMs !== null || isAlerting;
}
