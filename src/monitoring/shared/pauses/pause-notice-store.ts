import type { Database } from '../../../db/engines/database.ts';
import type { Monitor, MonitorKind } from '../monitor/monitor.ts';
import { toPauseReason } from './pause-reason.ts';

/** Stores the pauses of which the creators are still to be notified. */
export function createPauseNoticeStore(db: Database, kind: MonitorKind) {
  return {
    /**
     * Claims the pauses that Rackhand has made and whose creators weren't notified. Pauses that
     * another process has claimed since `sinceMs` are left out.
     */
    async claimUnnotified(nowMs: number, sinceMs: number): Promise<readonly Monitor[]> {
      const rows = await db
        .updateTable(kind)
        .set({ pause_notify_claimed_at: nowMs })
        .where('state', '=', 'paused')
        .where('pause_notified_at', 'is', null)
        .where((row) =>
          row.or([row('pause_notify_claimed_at', 'is', null), row('pause_notify_claimed_at', '<=', sinceMs)]),
        )
        .returning(['id', 'team_id', 'name', 'channel', 'created_by', 'paused_reason'])
        .execute();
      return rows
        .map(
          (row): Monitor => ({
            id: row.id,
            teamId: row.team_id,
            name: row.name,
            channel: row.channel,
            createdBy: row.created_by,
            state: { kind: 'paused', reason: toPauseReason(row.paused_reason), byUserId: null },
          }),
        )
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },

    async markNotified(ids: readonly string[], nowMs: number): Promise<void> {
      await db
        .updateTable(kind)
        .set({ pause_notified_at: nowMs })
        .where('id', 'in', ids)
        .where('state', '=', 'paused')
        .execute();
    },
  };
}
