import type { CallJournal } from '../hosting/rate-limit/rate-limiter.ts';
import type { Database } from './engines/database.ts';
import { withoutSync } from './engines/durability.ts';

/**
 * Stores calls and pauses, so that the quota holds across restarts. Refuses to record a call if
 * this process has lost its claim on the database. The call then isn't sent, because the process
 * that has the claim wouldn't count it.
 */
export function createCallJournal(db: Database, isClaimed: () => boolean): CallJournal {
  return {
    async recordSent({ fingerprint, callId, lane, sentAtMs }) {
      if (!isClaimed()) throw new Error('this process has lost its claim on the database');
      await db
        .insertInto('quota_call')
        .values({ call_id: callId, fingerprint, lane, sent_at: sentAtMs })
        .onConflict((conflict) => conflict.column('call_id').doUpdateSet({ sent_at: sentAtMs }))
        .execute();
    },
    async recordAnswered(callId, atMs) {
      // If this write is lost, the next start counts the call as answered at that start.
      await withoutSync(db)
        .updateTable('quota_call')
        .set({ responded_at: atMs })
        .where('call_id', '=', callId)
        .execute();
    },
    async deleteCall(callId) {
      await db.deleteFrom('quota_call').where('call_id', '=', callId).execute();
    },
    async listCallsSince(sinceMs) {
      const rows = await db
        .selectFrom('quota_call')
        .selectAll()
        .where((row) =>
          row.or([
            row('sent_at', '>=', sinceMs),
            row.and([
              row('sent_at', '<', sinceMs),
              row.or([row('responded_at', '>=', sinceMs), row('responded_at', 'is', null)]),
            ]),
          ]),
        )
        .execute();
      return rows.map((row) => ({
        fingerprint: row.fingerprint,
        callId: row.call_id,
        lane: row.lane,
        sentAtMs: row.sent_at,
        answeredAtMs: row.responded_at,
      }));
    },
    async recordPause({ fingerprint, fromMs, untilMs }) {
      const values = { paused_from: fromMs, paused_until: untilMs };
      await db
        .insertInto('quota_pause')
        .values({ fingerprint, ...values })
        .onConflict((conflict) => conflict.column('fingerprint').doUpdateSet(values))
        .execute();
    },
    async listPauses(nowMs) {
      const rows = await db.selectFrom('quota_pause').selectAll().where('paused_until', '>', nowMs).execute();
      return rows.map((row) => ({
        fingerprint: row.fingerprint,
        fromMs: row.paused_from,
        untilMs: row.paused_until,
      }));
    },
    async deleteBefore(beforeMs) {
      await db
        .deleteFrom('quota_call')
        .where('sent_at', '<', beforeMs)
        .where('responded_at', '<', beforeMs)
        .execute();
      await db.deleteFrom('quota_pause').where('paused_until', '<', beforeMs).execute();
    },
  };
}
