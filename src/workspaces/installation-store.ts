import type { Selectable } from 'kysely';
import type { Database } from '../storage/database.ts';
import type { InstallationTable } from '../storage/schema.ts';
import type { Vault } from '../storage/vault.ts';

/** The app in one workspace, or in a whole organisation, with the token that it acts by. */
export interface Installation {
  /** Workspace; where the app is installed org-wide, the organisation. */
  readonly teamId: string;
  readonly teamName: string;
  readonly enterpriseId: string | null;
  readonly botToken: string;
  readonly botId: string;
  readonly botUserId: string;
}

/** Whom Slack has sent something for. */
export interface InstallationQuery {
  readonly teamId?: string | undefined;
  readonly enterpriseId?: string | undefined;
  /** Whether it is the organisation's installation that it was sent to. */
  readonly isOrgWide?: boolean | undefined;
}

export interface InstallationStore {
  save(installation: Installation, nowMs: number): Promise<void>;
  /** Finds the installation of a workspace, or that of its organisation where it has none of its own. Throws `secret_unreadable`. */
  find(teamId: string): Promise<Installation | undefined>;
  /** Finds it as `find` does, as it is now: another replica may have kept or deleted one since. */
  findFresh(teamId: string): Promise<Installation | undefined>;
  /** Finds what Slack has sent something to, and remembers which organisation a workspace belongs to. Throws as `find` does. */
  findFor(query: InstallationQuery): Promise<Installation | undefined>;
  /** Lists the workspaces of an organisation that have been heard of. */
  workspacesOf(enterpriseId: string): Promise<readonly string[]>;
  /** Deletes an installation, unless it has got another token meanwhile. Answers whether it was this that deleted it. */
  remove(installation: Installation): Promise<boolean>;
  /** Forgets that a workspace belongs to its organisation's installation. */
  leave(teamId: string): Promise<void>;
}

/** How long a replica goes by what it has read: every payload of Slack asks, before its ack. */
const keptMs = 60_000;

/** Tells whether an installation is that of a whole organisation. */
export function isOrgWide({ teamId, enterpriseId }: Pick<Installation, 'teamId' | 'enterpriseId'>): boolean {
  return teamId === enterpriseId;
}

/** Creates the store of installations, whose tokens are encrypted. */
export function createInstallationStore(
  db: Database,
  vault: Vault,
  now: () => number = Date.now,
): InstallationStore {
  const known = new Map<string, { readonly installation: Installation; readonly readMs: number }>();

  async function read(teamId: string): Promise<Installation | undefined> {
    const row =
      (await rowOf(teamId)) ??
      (await db
        .selectFrom('org_workspace')
        .innerJoin('installation', 'installation.team_id', 'org_workspace.enterprise_id')
        .selectAll('installation')
        .where('org_workspace.team_id', '=', teamId)
        .executeTakeFirst());
    return row && toInstallation(row);
  }

  function rowOf(teamId: string) {
    return db.selectFrom('installation').selectAll().where('team_id', '=', teamId).executeTakeFirst();
  }

  async function toInstallation(row: Selectable<InstallationTable>): Promise<Installation> {
    return {
      teamId: row.team_id,
      teamName: row.team_name,
      enterpriseId: row.enterprise_id,
      botToken: await vault.open(row.bot_token_jwe, { purpose: 'bot-token', owner: row.team_id }),
      botId: row.bot_id,
      botUserId: row.bot_user_id,
    };
  }

  async function find(teamId: string): Promise<Installation | undefined> {
    const kept = known.get(teamId);
    if (kept && now() - kept.readMs < keptMs) return kept.installation;
    const installation = await read(teamId);
    if (installation) known.set(teamId, { installation, readMs: now() });
    else known.delete(teamId);
    return installation;
  }

  async function remember(teamId: string, enterpriseId: string): Promise<void> {
    await db
      .insertInto('org_workspace')
      .values({ team_id: teamId, enterprise_id: enterpriseId })
      .onConflict((conflict) => conflict.column('team_id').doUpdateSet({ enterprise_id: enterpriseId }))
      .execute();
    known.delete(teamId);
  }

  function forget(isMeant: (teamId: string, installation: Installation) => boolean): void {
    for (const [teamId, { installation }] of known) if (isMeant(teamId, installation)) known.delete(teamId);
  }

  return {
    find,

    findFresh(teamId) {
      forget((known, installation) => known === teamId || installation.teamId === teamId);
      return find(teamId);
    },

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
      forget((known, installation) => known === teamId || installation.teamId === teamId);
    },

    async findFor({ teamId, enterpriseId, isOrgWide = false }) {
      const own = teamId === undefined ? undefined : await find(teamId);
      if (enterpriseId === undefined || (own && !isOrgWide)) return own;
      if (own?.teamId === enterpriseId) return own;
      const ofOrg = await find(enterpriseId);
      if (ofOrg && teamId !== undefined && teamId !== enterpriseId) await remember(teamId, enterpriseId);
      return ofOrg ?? own;
    },

    async workspacesOf(enterpriseId) {
      const rows = await db
        .selectFrom('org_workspace')
        .select('team_id')
        .where('enterprise_id', '=', enterpriseId)
        .execute();
      return rows.map(({ team_id }) => team_id);
    },

    async remove({ teamId, botToken }) {
      forget((_, installation) => installation.teamId === teamId);
      for (;;) {
        const row = await rowOf(teamId);
        if (!row || (await toInstallation(row)).botToken !== botToken) return false;
        // The same token may have been encrypted anew meanwhile.
        const { numDeletedRows } = await db
          .deleteFrom('installation')
          .where('team_id', '=', teamId)
          .where('bot_token_jwe', '=', row.bot_token_jwe)
          .executeTakeFirst();
        if (numDeletedRows === 1n) return true;
      }
    },

    async leave(teamId) {
      await db.deleteFrom('org_workspace').where('team_id', '=', teamId).execute();
      known.delete(teamId);
    },
  };
}
