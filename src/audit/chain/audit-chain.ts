import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../../db/engines/database.ts';
import type { RunRow } from '../../db/schema/schema.ts';
import type { AuditChainTable } from '../../db/schema/security-tables.ts';
import { digestEntry, digestSummary } from './entry-digest.ts';

const batchSize = 200;

/** Name of the instance secret that holds the chain's key. */
export const auditChainSecret = 'audit-chain';

/** Why an activity log entry was deleted or changed on purpose. */
export type ErasureReason = 'retention' | 'person forgotten';

export type AuditChain = ReturnType<typeof createAuditChain>;

const tombstoneSchema = z.object({
  reason: z.string(),
  erasedMs: z.number(),
  /** Digest of the entry after it was changed, or null if it was deleted. */
  digest: z.string().nullable(),
  mac: z.string(),
});

export type Tombstone = z.infer<typeof tombstoneSchema>;

/**
 * Creates the activity log's hash chain, which has one chain per workspace. Each link's hash covers the
 * hash of the previous link. The hashes are keyed, so someone who can only write to the database can't
 * recompute them.
 */
export function createAuditChain(key: string) {
  const hash = (parts: readonly unknown[]) =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');

  const hashLink = (link: Omit<AuditChainTable, 'hash' | 'tombstone' | 'streamed_at'>, previous: string) =>
    hash([
      previous,
      link.team_id,
      link.seq,
      link.run_id,
      link.status,
      link.digest,
      link.summary_digest,
      link.sealed_at,
    ]);

  const hashTombstone = (linkHash: string, { reason, erasedMs, digest }: Omit<Tombstone, 'mac'>) =>
    hash(['tombstone', linkHash, reason, erasedMs, digest]);

  async function appendLinks(
    db: Database,
    teamId: string,
    rows: readonly RunRow[],
    nowMs: number,
  ): Promise<void> {
    const head = await db
      .selectFrom('audit_chain')
      .select(['seq', 'hash'])
      .where('team_id', '=', teamId)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    let { seq, hash: previous } = head ?? { seq: 0, hash: '' };
    const links = rows.map((row) => {
      seq += 1;
      const link = {
        team_id: teamId,
        seq,
        run_id: row.id,
        status: row.status,
        digest: digestEntry(row),
        summary_digest: digestSummary(row),
        sealed_at: nowMs,
      };
      previous = hashLink(link, previous);
      return { ...link, hash: previous };
    });
    await db.insertInto('audit_chain').values(links).execute();
    for (const { id, status } of rows) {
      await db
        .updateTable('run')
        .set({ sealed_at: nowMs })
        .where('id', '=', id)
        .where('status', '=', status)
        .execute();
    }
  }

  return {
    hashLink,

    /** Adds all settled runs to the chains of their workspaces. Returns how many runs were added. */
    async seal(db: Database, nowMs: number): Promise<number> {
      for (let sealed = 0; ; ) {
        const count = await db.transaction().execute(async (transaction) => {
          const rows = await transaction
            .selectFrom('run')
            .selectAll()
            .where('settled_at', 'is not', null)
            .where('sealed_at', 'is', null)
            .orderBy('settled_at')
            .orderBy('id')
            .limit(batchSize)
            .execute();
          for (const [teamId, ofTeam] of Map.groupBy(rows, ({ team_id }) => team_id)) {
            await appendLinks(transaction, teamId, ofTeam, nowMs);
          }
          return rows.length;
        });
        sealed += count;
        if (count < batchSize) return sealed;
      }
    },

    /** Records a tombstone for entries that were deleted or changed on purpose, in the same transaction. */
    async recordErasure(
      db: Database,
      runIds: readonly string[],
      reason: ErasureReason,
      nowMs: number,
    ): Promise<void> {
      for (const runId of runIds) {
        const links = await db.selectFrom('audit_chain').selectAll().where('run_id', '=', runId).execute();
        if (links.length === 0) continue;
        const row = await db.selectFrom('run').selectAll().where('id', '=', runId).executeTakeFirst();
        for (const { team_id, seq, hash: linkHash } of links) {
          const content = { reason, erasedMs: nowMs, digest: row ? digestEntry(row) : null };
          const tombstone = JSON.stringify({ ...content, mac: hashTombstone(linkHash, content) });
          await db
            .updateTable('audit_chain')
            .set({ tombstone })
            .where('team_id', '=', team_id)
            .where('seq', '=', seq)
            .execute();
        }
      }
    },

    /** Returns a link's tombstone, `'forged'` if it isn't authentic, or undefined if there is none. */
    readTombstone({ tombstone, hash: linkHash }: AuditChainTable): Tombstone | 'forged' | undefined {
      if (tombstone === null) return undefined;
      const parsed = tombstoneSchema.safeParse(parseJson(tombstone));
      if (!parsed.success || hashTombstone(linkHash, parsed.data) !== parsed.data.mac) return 'forged';
      return parsed.data;
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
