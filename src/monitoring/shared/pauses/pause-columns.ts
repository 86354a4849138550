import type { PauseReason } from '../../../plans/pause-reason.ts';

/** Column values of an active report or watch. */
export const unpausedColumns = {
  paused_at: null,
  paused_by: null,
  paused_reason: null,
} as const;

/** Returns the column values of a pause. `byUserId` is `null` if Rackhand pauses. */
export function pausedColumns(reason: PauseReason, byUserId: string | null, nowMs: number) {
  return {
    state: 'paused' as const,
    paused_at: nowMs,
    paused_by: byUserId,
    paused_reason: reason,
  };
}
