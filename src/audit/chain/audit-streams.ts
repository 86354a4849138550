import { appendFile } from 'node:fs/promises';
import type { Database } from '../../db/engines/database.ts';
import { auditColumns, toAuditEntry } from '../audit-entry.ts';

/** Writes JSON lines outside the database. If it throws, the same lines are sent again later. */
export type AuditStream = (lines: readonly string[]) => Promise<void>;

const batchSize = 200;

/** Creates a stream that appends lines to a file, which only its owner can read. */
export function createFileStream(path: string): AuditStream {
  return (lines) => appendFile(path, `${lines.join('\n')}\n`, { mode: 0o600, flush: true });
}

/**
 * Sends sealed entries to the stream, oldest first. If the process ends before an entry is marked as
 * streamed, the entry is sent again. Receivers can recognize duplicates by `workspace` and `seq`.
 */
export async function streamEntries(db: Database, stream: AuditStream, nowMs: number): Promise<void> {
  for (;;) {
    const links = await db
      .selectFrom('audit_chain')
      .select(['team_id', 'seq', 'hash', 'run_id'])
      .where('streamed_at', 'is', null)
      .orderBy('sealed_at')
      .orderBy('team_id')
      .orderBy('seq')
      .limit(batchSize)
      .execute();
    if (links.length === 0) return;
    const rows = await db
      .selectFrom('run')
      .select(auditColumns)
      .where(
        'id',
        'in',
        links.map(({ run_id }) => run_id),
      )
      .execute();
    const entries = new Map(rows.map((row) => [row.id, toAuditEntry(row)]));
    const lines = links.map(({ team_id, seq, hash, run_id }) => {
      const entry = entries.get(run_id);
      // The summary can contain data that a read returned, which Rackhand doesn't keep either.
      const { actor, summary: _, ...fields } = entry ?? {};
      return JSON.stringify({ workspace: team_id, seq, hash, user: actor?.userId ?? null, ...fields });
    });
    await stream(lines);
    for (const { team_id, seq } of links) {
      await db
        .updateTable('audit_chain')
        .set({ streamed_at: nowMs })
        .where('team_id', '=', team_id)
        .where('seq', '=', seq)
        .execute();
    }
  }
}
