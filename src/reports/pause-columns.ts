import type { PauseReason } from './schedule/report.ts';

/** The columns of what does not rest. */
export const unpaused = {
  paused_at: null,
  paused_by: null,
  paused_reason: null,
  told_at: null,
  telling_at: null,
} as const;

/** Gives the columns of what rests from now on. Where nobody wished it, whoever made it has yet to be told. */
export function pausedColumns(reason: PauseReason, byUserId: string | null, nowMs: number) {
  return {
    state: 'paused' as const,
    paused_at: nowMs,
    paused_by: byUserId,
    paused_reason: reason,
    told_at: byUserId === null ? null : nowMs,
    telling_at: null,
  };
}
