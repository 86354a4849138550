import type { Selectable } from 'kysely';
import type { Vault } from '../db/encryption/vault.ts';
import type { Database } from '../db/engines/database.ts';
import type { InstallationTable } from '../db/schema/schema.ts';
import { createRefreshingCache } from '../refreshing-cache.ts';

/** A bot token and, if the token expires, its refresh token and expiry. */
export interface BotTokens {
  readonly botToken: string;
  readonly rotation?: { readonly refreshToken: string; readonly expiresMs: number };
}

/** An installation of the app in one workspace or an entire organization, with its bot token. */
export interface Installation extends BotTokens {
  /** ID of the workspace or, for an org-wide installation, of the organization. */
  readonly teamId: string;
  readonly teamName: string;
  readonly enterpriseId: string | null;
  readonly botId: string;
  readonly botUserId: string;
}

/** The workspace and organization that a Slack event belongs to. */
export interface InstallationQuery {
  readonly teamId?: string | undefined;
  readonly enterpriseId?: string | undefined;
  /** Whether Slack sent the event to the organization's installation. */
  readonly isOrgWide?: boolean | undefined;
}

export interface InstallationStore {
  save(installation: Installation, nowMs: number): Promise<void>;
  /**
   * Finds the installation of a workspace or, if it has none, of its organization. Throws
   * `secret_unreadable` if the token can't be decrypted.
   */
  find(teamId: string): Promise<Installation | undefined>;
  /** Like `find`, but bypasses the cache, because another replica may have changed the installation. */
  findFresh(teamId: string): Promise<Installation | undefined>;
  /** Finds the installation for an event. Also stores the workspace's organization. */
  findFor(query: InstallationQuery): Promise<Installation | undefined>;
  /** Lists the known workspaces of an organization. */
  listWorkspaces(enterpriseId: string): Promise<readonly string[]>;
  /**
   * Lists the installations whose token expires before a time. `withLongLived` also includes those whose
   * token never expires.
   */
  listToRotate(expiresBeforeMs: number, withLongLived: boolean): Promise<readonly string[]>;
  /** Stores new tokens, unless the app has been installed again. Returns whether they were stored. */
  rotate(installation: Installation, tokens: BotTokens): Promise<boolean>;
  /** Deletes an installation unless its token has changed. Returns whether this call deleted the installation. */
  remove(installation: Installation): Promise<boolean>;
  /** Removes a workspace from its organization's installation. */
  removeWorkspace(teamId: string): Promise<void>;
}

/** How long (ms) installations are cached. Every Slack event needs its installation before the ack. */
const cacheTtlMs = 60_000;

export function isOrgWide({ teamId, enterpriseId }: Pick<Installation, 'teamId' | 'enterpriseId'>): boolean {
  return teamId === enterpriseId;
}

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
      ...(await readRotation(row)),
    };
  }

  async function readRotation({
    team_id: owner,
    refresh_token_jwe,
    token_expires_at: expiresMs,
  }: Selectable<InstallationTable>): Promise<Pick<BotTokens, 'rotation'>> {
    if (refresh_token_jwe === null || expiresMs === null) return {};
    const refreshToken = await vault.decrypt(refresh_token_jwe, { purpose: 'refresh-token', owner });
    return { rotation: { refreshToken, expiresMs } };
  }

  async function encryptTokens(owner: string, { botToken, rotation }: BotTokens) {
    return {
      bot_token_jwe: await vault.encrypt(botToken, { purpose: 'bot-token', owner }),
      refresh_token_jwe: rotation
        ? await vault.encrypt(rotation.refreshToken, { purpose: 'refresh-token', owner })
        : null,
      token_expires_at: rotation?.expiresMs ?? null,
    };
  }

  const forget = (teamId: string) =>
    cache.delete((known, installation) => known === teamId || installation.teamId === teamId);

  /**
   * Changes an installation's row. Returns false if the row is gone or already has another token. Retries
   * if a rekey has just re-encrypted the same token.
   */
  async function changeRow(
    { teamId, botToken }: Pick<Installation, 'teamId' | 'botToken'>,
    change: (row: InstallationTable) => Promise<bigint>,
  ): Promise<boolean> {
    for (;;) {
      const row = await findRow(teamId);
      if (!row || (await toInstallation(row)).botToken !== botToken) return false;
      if ((await change(row)) === 1n) return true;
    }
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
      forget(teamId);
      return find(teamId);
    },

    async save({ teamId, teamName, enterpriseId, botId, botUserId, ...tokens }, nowMs) {
      const values = {
        team_name: teamName,
        enterprise_id: enterpriseId,
        ...(await encryptTokens(teamId, tokens)),
        bot_id: botId,
        bot_user_id: botUserId,
        installed_at: nowMs,
      };
      await db
        .insertInto('installation')
        .values({ team_id: teamId, ...values })
        .onConflict((conflict) => conflict.column('team_id').doUpdateSet(values))
        .execute();
      forget(teamId);
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

    async listToRotate(expiresBeforeMs, withLongLived) {
      const rows = await db
        .selectFrom('installation')
        .select('team_id')
        .where((row) =>
          row.or([
            row('token_expires_at', '<', expiresBeforeMs),
            ...(withLongLived ? [row('token_expires_at', 'is', null)] : []),
          ]),
        )
        .orderBy('token_expires_at')
        .execute();
      return rows.map(({ team_id }) => team_id);
    },

    async rotate(installation, tokens) {
      const { teamId } = installation;
      const values = await encryptTokens(teamId, tokens);
      const isStored = await changeRow(installation, async ({ bot_token_jwe }) => {
        const { numUpdatedRows } = await db
          .updateTable('installation')
          .set(values)
          .where('team_id', '=', teamId)
          .where('bot_token_jwe', '=', bot_token_jwe)
          .executeTakeFirst();
        return numUpdatedRows;
      });
      forget(teamId);
      return isStored;
    },

    async remove(installation) {
      const { teamId } = installation;
      cache.delete((_, known) => known.teamId === teamId);
      return changeRow(installation, async ({ bot_token_jwe }) => {
        const { numDeletedRows } = await db
          .deleteFrom('installation')
          .where('team_id', '=', teamId)
          .where('bot_token_jwe', '=', bot_token_jwe)
          .executeTakeFirst();
        return numDeletedRows;
      });
    },

    async removeWorkspace(teamId) {
      await db.deleteFrom('org_workspace').where('team_id', '=', teamId).execute();
      cache.delete((known) => known === teamId);
    },
  };
}
