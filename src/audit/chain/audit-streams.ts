import { createHmac } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { request } from 'undici';
import type { Database } from '../../db/engines/database.ts';
import { auditColumns, toAuditEntry } from '../audit-entry.ts';
import { createSyslogStream } from './syslog-stream.ts';

/** Sends lines of JSON to another system. If it throws, the same lines are sent again later. */
export type AuditStream = (lines: readonly string[]) => Promise<void>;

export interface AuditStreamSettings {
  readonly file?: string;
  /** `tcp://` or `tls://`. */
  readonly syslogUrl?: string;
  readonly webhook?: { readonly url: string; readonly secret: string };
}

const batchSize = 200;
const timeoutMs = 10_000;

export function createAuditStreams({
  file,
  syslogUrl,
  webhook,
}: AuditStreamSettings = {}): readonly AuditStream[] {
  return [
    ...(file ? [createFileStream(file)] : []),
    ...(syslogUrl ? [createSyslogStream(syslogUrl)] : []),
    ...(webhook ? [createWebhookStream(webhook.url, webhook.secret)] : []),
  ];
}

/** Appends lines to a file that only its owner can read. */
function createFileStream(path: string): AuditStream {
  return (lines) => appendFile(path, `${lines.join('\n')}\n`, { mode: 0o600, flush: true });
}

/**
 * Posts lines to a webhook. The header `rackhand-signature` has the HMAC-SHA256 of the time, a dot
 * and the body.
 */
function createWebhookStream(url: string, secret: string): AuditStream {
  return async (lines) => {
    const body = `${lines.join('\n')}\n`;
    const time = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson', 'rackhand-signature': `t=${time},v1=${signature}` },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body.dump();
    if (response.statusCode >= 300) throw new Error(`the audit webhook answered ${response.statusCode}`);
  };
}

/**
 * Sends sealed entries to all streams, oldest first. An entry is marked as streamed once every
 * stream has accepted it, so it can arrive more than once: `workspace` and `seq` identify it.
 */
export async function streamEntries(
  db: Database,
  streams: readonly AuditStream[],
  nowMs: number,
): Promise<void> {
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
    for (const stream of streams) await stream(lines);
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
