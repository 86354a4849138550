import type { Database } from '../db/engines/database.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import { defaultSettings, type PersonalSettings, runNoticeLabels } from './personal-settings.ts';

export type SettingsStore = ReturnType<typeof createSettingsStore>;

export function createSettingsStore(db: Database) {
  const findRow = ({ teamId, userId }: Actor, executor: Database) =>
    executor
      .selectFrom('personal_settings')
      .selectAll()
      .where('team_id', '=', teamId)
      .where('user_id', '=', userId)
      .executeTakeFirst();

  return {
    /** Returns a person's settings, or the defaults. */
    async find(actor: Actor, executor: Database = db): Promise<PersonalSettings> {
      const row = await findRow(actor, executor);
      if (!row) return defaultSettings;
      return {
        notify: isOneOf(runNoticeLabels, row.run_notices) ? row.run_notices : defaultSettings.notify,
        zone: row.time_zone ?? undefined,
      };
    },

    async save({ teamId, userId }: Actor, { notify, zone }: PersonalSettings): Promise<void> {
      const values = {
        run_notices: notify,
        time_zone: zone ?? null,
      };
      await db
        .insertInto('personal_settings')
        .values({ team_id: teamId, user_id: userId, ...values })
        .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doUpdateSet(values))
        .execute();
    },
  };
}

/**
 * Returns whether this version knows a stored word. A newer version may have stored a word that this one
 * doesn't know.
 */
function isOneOf<Word extends string>(labels: Readonly<Record<Word, string>>, word: string): word is Word {
  return Object.hasOwn(labels, word);
}
