import type { CallJournal } from '../hosting/quota/quota.ts';
import type { Database } from './database.ts';

/** Creates what the quota remembers by across a restart. */
export function createCallJournal(db: Database): CallJournal {
  return {
    async leaving({ key, callId, lane, leftAtMs }) {
      await db
        .insertInto('quota_call')
        .values({ call_id: callId, fingerprint: key, lane, left_at: leftAtMs })
        .execute();
    },
    async answered(callId, atMs) {
      await db.updateTable('quota_call').set({ answered_at: atMs }).where('call_id', '=', callId).execute();
    },
    async since(sinceMs) {
      const rows = await db.selectFrom('quota_call').selectAll().where('left_at', '>=', sinceMs).execute();
      return rows.map((row) => ({
        key: row.fingerprint,
        callId: row.call_id,
        lane: row.lane,
        leftAtMs: row.left_at,
        answeredAtMs: row.answered_at,
      }));
    },
    async pause({ key, fromMs, untilMs }) {
      const values = { paused_from: fromMs, paused_until: untilMs };
      await db
        .insertInto('quota_pause')
        .values({ fingerprint: key, ...values })
        .onConflict((conflict) => conflict.column('fingerprint').doUpdateSet(values))
        .execute();
    },
    async pauses(nowMs) {
      const rows = await db.selectFrom('quota_pause').selectAll().where('paused_until', '>', nowMs).execute();
      return rows.map((row) => ({
        key: row.fingerprint,
        fromMs: row.paused_from,
        untilMs: row.paused_until,
      }));
    },
    async forget(beforeMs) {
      await db.deleteFrom('quota_call').where('left_at', '<', beforeMs).execute();
      await db.deleteFrom('quota_pause').where('paused_until', '<', beforeMs).execute();
    },
  };
}
