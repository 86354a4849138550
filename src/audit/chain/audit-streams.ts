import { createHmac } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { request } from 'undici';
import type { Database } from '../../db/engines/database.ts';
import { auditColumns, toAuditEntry } from '../audit-entry.ts';

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

/** Ports of syslog over TCP, and over TLS (RFC 5425). */
const defaultPorts = { 'tcp:': 514, 'tls:': 6514 };

/** Facility "log audit", severity "informational" (RFC 5424, section 6.2.1). */
const priority = 13 * 8 + 6;

/**
 * Creates a stream that sends each line as a syslog message (RFC 5424) to `tcp://` or `tls://`. The
 * certificate of the server is checked.
 */
function createSyslogStream(url: string): (lines: readonly string[]) => Promise<void> {
  const { protocol, hostname: host, port } = new URL(url);
  const isTls = protocol === 'tls:';
  const target = {
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(port) || defaultPorts[isTls ? 'tls:' : 'tcp:'],
  };
  return (lines) => {
    const frames = lines.map((line) => frameMessage(formatMessage(line, new Date()))).join('');
    return sendAll(isTls ? connectTls({ ...target, servername: target.host }) : connect(target), frames);
  };
}

function formatMessage(line: string, time: Date): string {
  return `<${priority}>1 ${time.toISOString()} ${hostname()} rackhand ${process.pid} audit - ${line}`;
}

/** Puts the length before a message, so that it can contain any byte (RFC 6587, section 3.4.1). */
function frameMessage(message: string): string {
  return `${Buffer.byteLength(message)} ${message}`;
}

/** Sends everything, and waits until the server has read it and closed the connection. */
function sendAll(socket: Socket, data: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('the syslog server took too long')));
    socket.on('error', reject).on('close', () => resolve());
    // Syslog servers send nothing, but the end of a connection is noticed only while reading.
    socket.resume();
    socket.end(data);
  });
}
