import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Vault } from '../../db/encryption/vault.ts';
import type { Database } from '../../db/engines/database.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import type { Secret } from '../../operations/define/outcome.ts';
import type { SecretStore } from './secret-store.ts';

const secretTtlMs = 15 * 60_000;

const secretsSchema: z.ZodType<readonly Secret[]> = z.array(
  z.object({ label: z.string(), value: z.string() }),
);

export interface OneTimeSecretStore extends SecretStore {
  deleteForWorkspace(teamId: string): Promise<void>;
}

export function createOneTimeSecretStore(
  db: Database,
  vault: Vault,
  now: () => number = Date.now,
): OneTimeSecretStore {
  const createContext = ({ teamId, userId }: Actor, id: string) =>
    ({ purpose: 'one-time-secret', owner: `${teamId}/${userId}/${id}` }) as const;

  async function insert(
    id: string,
    runId: string,
    actor: Actor,
    secrets: readonly Secret[],
    expires_at: number,
  ) {
    const secret_jwe = await vault.encrypt(JSON.stringify(secrets), createContext(actor, id));
    const { teamId: team_id, userId: user_id } = actor;
    await db
      .insertInto('one_time_secret')
      .values({ id, team_id, user_id, run_id: runId, secret_jwe, expires_at })
      .execute();
  }

  async function decrypt(secretJwe: string, actor: Actor, id: string): Promise<readonly Secret[]> {
    return secretsSchema.parse(JSON.parse(await vault.decrypt(secretJwe, createContext(actor, id))));
  }

  return {
    async save(secrets, { runId, actor }) {
      const id = randomUUID();
      const expiresMs = now() + secretTtlMs;
      await insert(id, runId, actor, secrets, expiresMs);
      return { id, labels: secrets.map(({ label }) => label), expiresMs };
    },

    async find(id, { teamId, userId }) {
      const row = await db
        .selectFrom('one_time_secret')
        .selectAll()
        .where('id', '=', id)
        .where('team_id', '=', teamId)
        .where('user_id', '=', userId)
        .where('expires_at', '>', now())
        .executeTakeFirst();
      if (!row) return undefined;
      const secrets = await decrypt(row.secret_jwe, { teamId, userId }, id);
      return { labels: secrets.map(({ label }) => label), runId: row.run_id, expiresMs: row.expires_at };
    },

    async findOwner(id, teamId) {
      const row = await db
        .selectFrom('one_time_secret')
        .select('user_id')
        .where('id', '=', id)
        .where('team_id', '=', teamId)
        .where('expires_at', '>', now())
        .executeTakeFirst();
      return row?.user_id;
    },

    async reveal(id, { teamId, userId }) {
      const row = await db
        .deleteFrom('one_time_secret')
        .where('id', '=', id)
        .where('team_id', '=', teamId)
        .where('user_id', '=', userId)
        .where('expires_at', '>', now())
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      const secrets = await decrypt(row.secret_jwe, { teamId, userId }, id);
      return {
        secrets,
        restore: () => insert(id, row.run_id, { teamId, userId }, secrets, row.expires_at),
      };
    },

    async deleteForWorkspace(teamId) {
      await db.deleteFrom('one_time_secret').where('team_id', '=', teamId).execute();
    },

    async deleteExpired() {
      await db.deleteFrom('one_time_secret').where('expires_at', '<=', now()).execute();
    },
  };
}
