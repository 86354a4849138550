import type { Database } from '../storage/database.ts';
import type { Vault } from '../storage/vault.ts';

/** The app in one workspace, with the token that it acts by. */
export interface Installation {
  readonly teamId: string;
  readonly teamName: string;
  readonly enterpriseId: string | null;
  readonly botToken: string;
  readonly botId: string;
  readonly botUserId: string;
}

export interface InstallationStore {
  save(installation: Installation, nowMs: number): Promise<void>;
  /** Finds the installation of a workspace. Throws `secret_unreadable`. */
  find(teamId: string): Promise<Installation | undefined>;
}

/** How long a replica goes by what it has read: every payload of Slack asks, before its ack. */
const keptMs = 60_000;

/** Creates the store of installations, whose tokens are encrypted. */
export function createInstallationStore(
  db: Database,
  vault: Vault,
  now: () => number = Date.now,
): InstallationStore {
  const known = new Map<string, { readonly installation: Installation; readonly readMs: number }>();

  return {
    async save({ teamId, teamName, enterpriseId, botToken, botId, botUserId }, nowMs) {
      const values = {
        team_name: teamName,
        enterprise_id: enterpriseId,
        bot_token_jwe: await vault.seal(botToken, { purpose: 'bot-token', owner: teamId }),
        bot_id: botId,
        bot_user_id: botUserId,
        installed_at: nowMs,
      };
      await db
        .insertInto('installation')
        .values({ team_id: teamId, ...values })
        .onConflict((conflict) => conflict.column('team_id').doUpdateSet(values))
        .execute();
      known.delete(teamId);
    },
    async find(teamId) {
      const kept = known.get(teamId);
      if (kept && now() - kept.readMs < keptMs) return kept.installation;
      const row = await db
        .selectFrom('installation')
        .selectAll()
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      if (!row) return undefined;
      const installation: Installation = {
        teamId,
        teamName: row.team_name,
        enterpriseId: row.enterprise_id,
        botToken: await vault.open(row.bot_token_jwe, { purpose: 'bot-token', owner: teamId }),
        botId: row.bot_id,
        botUserId: row.bot_user_id,
      };
      known.set(teamId, { installation, readMs: now() });
      return installation;
    },
  };
}
