import type { Migration } from 'kysely/migration';

/** Removes the leases of reports. Their jobs are created at the next start. */
export const reportJobs: Migration = {
  async up(db) {
    for (const column of ['claim_token', 'lease_until', 'attempts', 'not_before'])
      await db.schema.alterTable('report').dropColumn(column).execute();
  },
};
