import type { Migration } from 'kysely/migration';

/** Finds the paused watches whose owners weren't notified yet, without reading all watches. */
export const pausedWatches: Migration = {
  async up(db) {
    await db.schema
      .createIndex('watch_to_notify')
      .on('watch')
      .columns(['state', 'pause_notified_at'])
      .execute();
  },
};
