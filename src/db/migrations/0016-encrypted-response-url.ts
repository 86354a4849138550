import type { Migration } from 'kysely/migration';

/**
 * Response URLs get an encrypted column. Those stored in plain text are deleted: they work for 30
 * minutes at most, and without them a reply is posted by the bot.
 */
export const encryptedResponseUrl: Migration = {
  async up(db) {
    await db.schema.alterTable('run').addColumn('response_url_jwe', 'text').execute();
    const rows: readonly { id: string; origin: string }[] = await db
      .selectFrom('run')
      .select(['id', 'origin'])
      .where('trimmed_at', 'is', null)
      .where('origin', 'like', '%"responseUrl"%')
      .execute();
    for (const { id, origin } of rows) {
      const { responseUrl: _, ...place } = JSON.parse(origin);
      await db
        .updateTable('run')
        .set({ origin: JSON.stringify(place) })
        .where('id', '=', id)
        .execute();
    }
  },
};
