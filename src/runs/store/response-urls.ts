import type { Vault } from '../../db/encryption/vault.ts';
import type { Database } from '../../db/engines/database.ts';
import type { Run } from '../run.ts';

/**
 * Creates the store of runs' response URLs. The URLs are encrypted, because anyone with one can post as
 * the app for 30 minutes.
 */
export function createResponseUrls(db: Database, vault: Vault) {
  const contextOf = (runId: string) => ({ purpose: 'response-url', owner: runId }) as const;

  return {
    async encrypt({ id, origin }: Pick<Run, 'id' | 'origin'>): Promise<string | null> {
      const { responseUrl } = origin;
      return responseUrl === undefined ? null : vault.encrypt(responseUrl, contextOf(id));
    },

    /**
     * Finds the response URL of a run whose end hasn't been reported. Returns undefined if the run has no URL or it
     * can't be decrypted.
     */
    async find(id: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('run')
        .select('response_url_jwe')
        .where('id', '=', id)
        .executeTakeFirst();
      const jwe = row?.response_url_jwe;
      if (!jwe) return undefined;
      // Without the URL, the bot posts the reply.
      return vault.decrypt(jwe, contextOf(id)).catch(() => undefined);
    },
  };
}
