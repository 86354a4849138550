import type { Selectable } from 'kysely';
import type { HostingKey } from '../hosting/client.ts';
import type { Database } from '../storage/database.ts';
import type { ApiKeyTable } from '../storage/schema.ts';
import type { Vault } from '../storage/vault.ts';

/** What is known of a key without decrypting it. */
export interface KeptKey {
  readonly teamId: string;
  readonly fingerprint: string;
  /** Requests in any 60 s. */
  readonly limit: number;
  /** Who connected it; nobody where the settings name it. */
  readonly connectedBy: string | null;
  readonly connectedMs: number;
  /** When somebody was last told that it is old. */
  readonly remindedMs: number | null;
}

export interface ApiKeyStore {
  /**
   * Keeps the key of a workspace in place of the one before, and answers whether anything changed. The same key with another quota is as old as it was.
   */
  save(teamId: string, key: HostingKey, nowMs: number, connectedBy?: string): Promise<boolean>;
  /** Finds the key of a workspace. Throws `secret_unreadable`. */
  find(teamId: string): Promise<HostingKey | undefined>;
  describe(teamId: string): Promise<KeptKey | undefined>;
  /** Deletes the key of a workspace, and answers whether there was one. */
  remove(teamId: string): Promise<boolean>;
  /** Describes the keys that were connected at a time or before. */
  olderThan(thenMs: number): Promise<readonly KeptKey[]>;
  /** Notes that somebody is told of a key's age, unless that was noted meanwhile: of replicas that try, one may. */
  claimReminder(key: KeptKey, remindedMs: number | null): Promise<boolean>;
}

/** Creates the store of API keys, which are encrypted. */
export function createApiKeyStore(db: Database, vault: Vault): ApiKeyStore {
  const opened = new Map<string, { readonly jwe: string; readonly apiKey: string }>();

  async function open(teamId: string, jwe: string): Promise<string> {
    const known = opened.get(teamId);
    if (known?.jwe === jwe) return known.apiKey;
    const apiKey = await vault.open(jwe, { purpose: 'api-key', owner: teamId });
    opened.set(teamId, { jwe, apiKey });
    return apiKey;
  }

  return {
    async save(teamId, { apiKey, fingerprint, limit }, nowMs, connectedBy) {
      const values = {
        api_key_jwe: await vault.seal(apiKey, { purpose: 'api-key', owner: teamId }),
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
              const unlessSame = <C extends 'connected_by' | 'connected_at' | 'reminded_at'>(column: C) =>
                when()
                  .when('api_key.fingerprint', '=', fingerprint)
                  .then(ref(`api_key.${column}`))
                  .else(ref(`excluded.${column}`))
                  .end();
              return {
                ...values,
                connected_by: unlessSame('connected_by'),
                connected_at: unlessSame('connected_at'),
                reminded_at: unlessSame('reminded_at'),
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
        opened.delete(teamId);
        return undefined;
      }
      const apiKey = await open(teamId, row.api_key_jwe);
      return { apiKey, fingerprint: row.fingerprint, limit: row.quota };
    },

    async describe(teamId) {
      const row = await db.selectFrom('api_key').selectAll().where('team_id', '=', teamId).executeTakeFirst();
      return row && toKept(row);
    },

    async remove(teamId) {
      opened.delete(teamId);
      const { numDeletedRows } = await db
        .deleteFrom('api_key')
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },

    async olderThan(thenMs) {
      const rows = await db.selectFrom('api_key').selectAll().where('connected_at', '<=', thenMs).execute();
      return rows.map(toKept);
    },

    async claimReminder({ teamId, fingerprint, remindedMs: before }, remindedMs) {
      const { numUpdatedRows } = await db
        .updateTable('api_key')
        .set({ reminded_at: remindedMs })
        .where('team_id', '=', teamId)
        .where('fingerprint', '=', fingerprint)
        .where('reminded_at', before === null ? 'is' : '=', before)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
  };
}

function toKept(row: Selectable<ApiKeyTable>): KeptKey {
  return {
    teamId: row.team_id,
    fingerprint: row.fingerprint,
    limit: row.quota,
    connectedBy: row.connected_by,
    connectedMs: row.connected_at,
    remindedMs: row.reminded_at,
  };
}
