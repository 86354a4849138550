import type { PauseReason } from './pause-reason.ts';

/** Column values of an active report or watch. */
export const unpausedColumns = {
  paused_at: null,
  paused_by: null,
  paused_reason: null,
  pause_notified_at: null,
  pause_notify_claimed_at: null,
} as const;

/** Returns the column values of a pause. If Rackhand pauses, the creator still has to be notified. */
export function pausedColumns(reason: PauseReason, byUserId: string | null, nowMs: number) {
  return {
    state: 'paused' as const,
    paused_at: nowMs,
    paused_by: byUserId,
    paused_reason: reason,
    pause_notified_at: byUserId === null ? null : nowMs,
    pause_notify_claimed_at: null,
  };
}
