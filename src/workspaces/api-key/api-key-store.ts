import type { Selectable } from 'kysely';
import type { Vault } from '../../db/encryption/vault.ts';
import type { Database } from '../../db/engines/database.ts';
import type { ApiKeyTable } from '../../db/schema/schema.ts';
import { wasUpdated } from '../../db/was-updated.ts';
import type { HostingKey } from '../../hosting/client/hosting-client.ts';

export interface StoredKey {
  readonly teamId: string;
  readonly fingerprint: string;
  /** The quota: requests allowed in any 60 s. */
  readonly limit: number;
  /** ID of the person who connected the key. Null if the key is from the settings. */
  readonly connectedBy: string | null;
  readonly connectedMs: number;
  /** When admins were last reminded of the key's age (epoch ms). Null if they never were. */
  readonly remindedMs: number | null;
}

export interface ApiKeyStore {
  /**
   * Saves the key in place of the previous one. Returns whether anything changed. A change to only the
   * quota doesn't reset the key's age.
   */
  save(teamId: string, key: HostingKey, nowMs: number, connectedBy?: string): Promise<boolean>;
  /**
   * Finds a workspace's key. If several workspaces share the key, the lowest of their quotas applies.
   * Throws `secret_unreadable` if the key can't be decrypted.
   */
  find(teamId: string): Promise<HostingKey | undefined>;
  findLowestLimit(fingerprint: string): Promise<number | undefined>;
  describe(teamId: string): Promise<StoredKey | undefined>;
  /** Deletes the key of a workspace. Returns whether there was one. */
  remove(teamId: string): Promise<boolean>;
  /** Lists the keys that were connected at or before this time. */
  listOlderThan(connectedUntilMs: number): Promise<readonly StoredKey[]>;
  /** Stores the time of a reminder. Returns false if another replica has stored one since `key` was read. */
  claimReminder(key: StoredKey, remindedMs: number, transaction: Database): Promise<boolean>;
}

export function createApiKeyStore(db: Database, vault: Vault): ApiKeyStore {
  const decrypted = new Map<string, { readonly jwe: string; readonly apiKey: string }>();

  async function decrypt(teamId: string, jwe: string): Promise<string> {
    const cached = decrypted.get(teamId);
    if (cached?.jwe === jwe) return cached.apiKey;
    const apiKey = await vault.decrypt(jwe, { purpose: 'api-key', owner: teamId });
    decrypted.set(teamId, { jwe, apiKey });
    return apiKey;
  }

  async function findLowestLimit(fingerprint: string): Promise<number | undefined> {
    const row = await db
      .selectFrom('api_key')
      .select((select) => select.fn.min('quota').as('lowest'))
      .where('fingerprint', '=', fingerprint)
      .executeTakeFirst();
    return row?.lowest ?? undefined;
  }

  return {
    async save(teamId, { apiKey, fingerprint, limit }, nowMs, connectedBy) {
      const values = {
        api_key_jwe: await vault.encrypt(apiKey, { purpose: 'api-key', owner: teamId }),
        fingerprint,
        quota: limit,
        connected_by: connectedBy ?? null,
        connected_at: nowMs,
        reminded_at: null,
      };
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('api_key')
        .values({ team_id: teamId, ...values })
        .onConflict((conflict) =>
          conflict
            .column('team_id')
            .doUpdateSet(({ case: when, ref }) => {
              const keepIfSameKey = <C extends 'connected_by' | 'connected_at' | 'reminded_at'>(column: C) =>
                when()
                  .when('api_key.fingerprint', '=', fingerprint)
                  .then(ref(`api_key.${column}`))
                  .else(ref(`excluded.${column}`))
                  .end();
              return {
                ...values,
                connected_by: keepIfSameKey('connected_by'),
                connected_at: keepIfSameKey('connected_at'),
                reminded_at: keepIfSameKey('reminded_at'),
              };
            })
            .where((row) =>
              row.or([row('api_key.fingerprint', '!=', fingerprint), row('api_key.quota', '!=', limit)]),
            ),
        )
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    async find(teamId) {
      const row = await db.selectFrom('api_key').selectAll().where('team_id', '=', teamId).executeTakeFirst();
      if (!row) {
        decrypted.delete(teamId);
        return undefined;
      }
      const apiKey = await decrypt(teamId, row.api_key_jwe);
      const { fingerprint } = row;
      return { apiKey, fingerprint, limit: (await findLowestLimit(fingerprint)) ?? row.quota };
    },

    findLowestLimit,

    async describe(teamId) {
      const row = await db.selectFrom('api_key').selectAll().where('team_id', '=', teamId).executeTakeFirst();
      return row && toStoredKey(row);
    },

    async remove(teamId) {
      decrypted.delete(teamId);
      const { numDeletedRows } = await db
        .deleteFrom('api_key')
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },

    async listOlderThan(connectedUntilMs) {
      const rows = await db
        .selectFrom('api_key')
        .selectAll()
        .where('connected_at', '<=', connectedUntilMs)
        .execute();
      return rows.map(toStoredKey);
    },

    async claimReminder({ teamId, fingerprint, remindedMs: previousMs }, remindedMs, transaction) {
      return wasUpdated(
        transaction
          .updateTable('api_key')
          .set({ reminded_at: remindedMs })
          .where('team_id', '=', teamId)
          .where('fingerprint', '=', fingerprint)
          .where('reminded_at', previousMs === null ? 'is' : '=', previousMs),
      );
    },
  };
}

function toStoredKey(row: Selectable<ApiKeyTable>): StoredKey {
  return {
    teamId: row.team_id,
    fingerprint: row.fingerprint,
    limit: row.quota,
    connectedBy: row.connected_by,
    connectedMs: row.connected_at,
    remindedMs: row.reminded_at,
  };
}
