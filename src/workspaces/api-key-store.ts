import type { HostingKey } from '../hosting/client.ts';
import type { Database } from '../storage/database.ts';
import type { Vault } from '../storage/vault.ts';

export interface ApiKeyStore {
  save(teamId: string, key: HostingKey, nowMs: number): Promise<void>;
  /** Finds the key of a workspace. Throws `secret_unreadable`. */
  find(teamId: string): Promise<HostingKey | undefined>;
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
    async save(teamId, { apiKey, fingerprint, limit }, nowMs) {
      const values = {
        api_key_jwe: await vault.seal(apiKey, { purpose: 'api-key', owner: teamId }),
        fingerprint,
        quota: limit,
        connected_at: nowMs,
      };
      await db
        .insertInto('api_key')
        .values({ team_id: teamId, ...values })
        .onConflict((conflict) => conflict.column('team_id').doUpdateSet(values))
        .execute();
    },
    async find(teamId) {
      const row = await db.selectFrom('api_key').selectAll().where('team_id', '=', teamId).executeTakeFirst();
      if (!row) return undefined;
      const apiKey = await open(teamId, row.api_key_jwe);
      return { apiKey, fingerprint: row.fingerprint, limit: row.quota };
    },
  };
}
