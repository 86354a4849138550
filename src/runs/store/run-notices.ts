import type { Database } from '../../db/engines/database.ts';

/** The part of the run store that records direct messages about the ends of runs. */
export function createRunNotices(db: Database) {
  return {
    /** Returns when the actor was last sent a direct message about the end of a run, or was about to be. */
    async findNoticeTime(id: string): Promise<number | undefined> {
      const row = await db.selectFrom('run').select('notice_at').where('id', '=', id).executeTakeFirst();
      return row?.notice_at ?? undefined;
    },

    async saveNoticeTime(id: string, nowMs: number): Promise<void> {
      await db.updateTable('run').set({ notice_at: nowMs }).where('id', '=', id).execute();
    },
  };
}
