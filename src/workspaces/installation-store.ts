import type { Selectable } from 'kysely';
import type { Vault } from '../db/encryption/vault.ts';
import type { Database } from '../db/engines/database.ts';
import type { InstallationTable } from '../db/schema/schema.ts';
import { createRefreshingCache } from '../refreshing-cache.ts';

/** An installation of the app in one workspace or a whole organization, with its bot token. */
export interface Installation {
  /** ID of the workspace or, for an org-wide installation, of the organization. */
  readonly teamId: string;
  readonly teamName: string;
  readonly enterpriseId: string | null;
  readonly botToken: string;
  readonly botId: string;
  readonly botUserId: string;
}

/** The workspace and organization that an event from Slack belongs to. */
export interface InstallationQuery {
  readonly teamId?: string | undefined;
  readonly enterpriseId?: string | undefined;
  /** Whether Slack sent the event for the organization's installation. */
  readonly isOrgWide?: boolean | undefined;
}

export interface InstallationStore {
  save(installation: Installation, nowMs: number): Promise<void>;
  /**
   * Finds the installation of a workspace, or of its organization. Throws `secret_unreadable` if
   * the token can't be decrypted.
   */
  find(teamId: string): Promise<Installation | undefined>;
  /** Like `find`, but without the cache, because another replica could have changed the installation. */
  findFresh(teamId: string): Promise<Installation | undefined>;
  /** Finds the installation for an event. Also stores to which organization the workspace belongs. */
  findFor(query: InstallationQuery): Promise<Installation | undefined>;
  /** Lists the known workspaces of an organization. */
  listWorkspaces(enterpriseId: string): Promise<readonly string[]>;
  /** Deletes an installation unless its token has changed. Returns whether this call deleted it. */
  remove(installation: Installation): Promise<boolean>;
  /** Removes a workspace from its organization's installation. */
  removeWorkspace(teamId: string): Promise<void>;
}

/** Every Slack event needs the installation before its ack, so installations are cached. */
const cacheTtlMs = 60_000;

export function isOrgWide({ teamId, enterpriseId }: Pick<Installation, 'teamId' | 'enterpriseId'>): boolean {
  return teamId === enterpriseId;
}

/** Stores installations with encrypted tokens. */
export function createInstallationStore(
  db: Database,
  vault: Vault,
  now: () => number = Date.now,
): InstallationStore {
  const cache = createRefreshingCache({ read, ttlMs: cacheTtlMs, now });
  const find = cache.get;

  async function read(teamId: string): Promise<Installation | undefined> {
    const row =
      (await findRow(teamId)) ??
      (await db
        .selectFrom('org_workspace')
        .innerJoin('installation', 'installation.team_id', 'org_workspace.enterprise_id')
        .selectAll('installation')
        .where('org_workspace.team_id', '=', teamId)
        .executeTakeFirst());
    return row && toInstallation(row);
  }

  function findRow(teamId: string) {
    return db.selectFrom('installation').selectAll().where('team_id', '=', teamId).executeTakeFirst();
  }

  async function toInstallation(row: Selectable<InstallationTable>): Promise<Installation> {
    return {
      teamId: row.team_id,
      teamName: row.team_name,
      enterpriseId: row.enterprise_id,
      botToken: await vault.decrypt(row.bot_token_jwe, { purpose: 'bot-token', owner: row.team_id }),
      botId: row.bot_id,
      botUserId: row.bot_user_id,
    };
  }

  async function saveOrgWorkspace(teamId: string, enterpriseId: string): Promise<void> {
    await db
      .insertInto('org_workspace')
      .values({ team_id: teamId, enterprise_id: enterpriseId })
      .onConflict((conflict) => conflict.column('team_id').doUpdateSet({ enterprise_id: enterpriseId }))
      .execute();
    cache.delete((known) => known === teamId);
  }

  return {
    find,

    findFresh(teamId) {
      cache.delete((known, installation) => known === teamId || installation.teamId === teamId);
      return find(teamId);
    },

    async save({ teamId, teamName, enterpriseId, botToken, botId, botUserId }, nowMs) {
      const values = {
        team_name: teamName,
        enterprise_id: enterpriseId,
        bot_token_jwe: await vault.encrypt(botToken, { purpose: 'bot-token', owner: teamId }),
        bot_id: botId,
        bot_user_id: botUserId,
        installed_at: nowMs,
      };
      await db
        .insertInto('installation')
        .values({ team_id: teamId, ...values })
        .onConflict((conflict) => conflict.column('team_id').doUpdateSet(values))
        .execute();
      cache.delete((known, installation) => known === teamId || installation.teamId === teamId);
    },

    async findFor({ teamId, enterpriseId, isOrgWide = false }) {
      const own = teamId === undefined ? undefined : await find(teamId);
      if (enterpriseId === undefined || (own && !isOrgWide)) return own;
      if (own?.teamId === enterpriseId) return own;
      const orgWide = await find(enterpriseId);
      if (orgWide && teamId !== undefined && teamId !== enterpriseId)
        await saveOrgWorkspace(teamId, enterpriseId);
      return orgWide ?? own;
    },

    async listWorkspaces(enterpriseId) {
      const rows = await db
        .selectFrom('org_workspace')
        .select('team_id')
        .where('enterprise_id', '=', enterpriseId)
        .execute();
      return rows.map(({ team_id }) => team_id);
    },

    async remove({ teamId, botToken }) {
      cache.delete((_, installation) => installation.teamId === teamId);
      for (;;) {
        const row = await findRow(teamId);
        if (!row || (await toInstallation(row)).botToken !== botToken) return false;
        // A rekey can have encrypted the same token again. The row then differs, and the deletion
        // is repeated.
        const { numDeletedRows } = await db
          .deleteFrom('installation')
          .where('team_id', '=', teamId)
          .where('bot_token_jwe', '=', row.bot_token_jwe)
          .executeTakeFirst();
        if (numDeletedRows === 1n) return true;
      }
    },

    async removeWorkspace(teamId) {
      await db.deleteFrom('org_workspace').where('team_id', '=', teamId).execute();
      cache.delete((known) => known === teamId);
    },
  };
}
