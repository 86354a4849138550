import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Secret } from '../operations/outcome.ts';
import type { Asker } from '../operations/runs/run.ts';
import type { SecretKeeper } from '../operations/runs/secret-keeper.ts';
import type { Database } from '../storage/database.ts';
import type { Vault } from '../storage/vault.ts';

/** How long a secret can be shown, from design: at most a quarter of an hour. */
const keptMs = 15 * 60_000;

const secrets: z.ZodType<readonly Secret[]> = z.array(z.object({ label: z.string(), value: z.string() }));

export interface ShownOnce extends SecretKeeper {
  /** Deletes everything that waits to be shown to people of a workspace. */
  forgetAllOf(teamId: string): Promise<void>;
}

/** Creates what keeps the secrets of outcomes, encrypted, until their asker has seen them. */
export function createShownOnce(db: Database, vault: Vault, now: () => number = Date.now): ShownOnce {
  const boundTo = (id: string) => ({ purpose: 'shown-once', owner: id }) as const;

  async function insert(
    id: string,
    runId: string,
    asker: Asker,
    shown: readonly Secret[],
    expires_at: number,
  ) {
    const secret_jwe = await vault.seal(JSON.stringify(shown), boundTo(id));
    const { teamId: team_id, userId: user_id } = asker;
    await db
      .insertInto('secret')
      .values({ id, team_id, user_id, run_id: runId, secret_jwe, expires_at })
      .execute();
  }

  return {
    async keep(shown, { runId, asker }) {
      const id = randomUUID();
      const untilMs = now() + keptMs;
      await insert(id, runId, asker, shown, untilMs);
      return { id, labels: shown.map(({ label }) => label), untilMs };
    },

    async take(id, { teamId, userId }) {
      const row = await db
        .deleteFrom('secret')
        .where('id', '=', id)
        .where('team_id', '=', teamId)
        .where('user_id', '=', userId)
        .where('expires_at', '>', now())
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      const shown = secrets.parse(JSON.parse(await vault.open(row.secret_jwe, boundTo(id))));
      return {
        secrets: shown,
        runId: row.run_id,
        putBack: () => insert(id, row.run_id, { teamId, userId }, shown, row.expires_at),
      };
    },

    async forgetAllOf(teamId) {
      await db.deleteFrom('secret').where('team_id', '=', teamId).execute();
    },

    async forgetExpired() {
      await db.deleteFrom('secret').where('expires_at', '<=', now()).execute();
    },
  };
}
