import { createHash } from 'node:crypto';
import type { Database } from '../db/engines/database.ts';

/** Creates a function that records an OAuth state as used. It returns false if the state was already used. */
export function createUsedStates(db: Database, now: () => number = Date.now) {
  return async (state: string, expiresMs: number): Promise<boolean> => {
    await db.deleteFrom('used_oauth_state').where('expires_at', '<=', now()).execute();
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('used_oauth_state')
      .values({ digest: createHash('sha256').update(state).digest('base64url'), expires_at: expiresMs })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  };
}
