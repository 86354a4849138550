import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Cell, formatCsvRow } from '../../csv.ts';
import type { FindDisplayName } from '../actor-names.ts';
import { type AuditEntry, toRunDurations, unreadableNote } from '../audit-entry.ts';
import type { AuditCursor, AuditQuery, AuditStore } from '../audit-store.ts';
import type { AuditFilter } from '../audit-visibility.ts';

export const exportFormats = ['csv', 'jsonl'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** Number of entries per batch. 200 entries block the event loop for about 10 ms with SQLite. */
const batchSize = 200;

/** Maximum number of people per file whose names are looked up in Slack. Further people appear only by ID. */
const maxNameLookups = 80;

type ExportedEntry = Readonly<Record<string, Cell>>;

export interface ExportDependencies {
  readonly store: Pick<AuditStore, 'read'>;
  readonly findDisplayName: FindDisplayName;
}

/**
 * Yields the matching entries as text, oldest first. Calls `onBatch` with the number of matching entries
 * in each batch.
 */
export async function* exportAuditLog(
  { store, findDisplayName }: ExportDependencies,
  { query, matches, format }: { query: AuditQuery; matches: AuditFilter; format: ExportFormat },
  onBatch: (count: number) => void,
): AsyncGenerator<string> {
  const findName = cacheNames(findDisplayName);
  const formatLine = format === 'csv' ? formatCsvLine : formatJsonLine;
  if (format === 'csv') yield formatCsvRow(exportColumns);
  let from: AuditCursor | undefined;
  for (;;) {
    const batch = await store.read(query, { direction: 'newer', from, limit: batchSize });
    const matching = batch.entries.filter(matches);
    let text = '';
    for (const entry of matching) text += formatLine(await toExportedEntry(entry, findName));
    onBatch(matching.length);
    if (text !== '') yield text;
    if (!batch.next) return;
    await yieldToEventLoop();
    from = batch.next;
  }
}

const exportColumns = [
  'id',
  'requested_at',
  'who',
  'who_name',
  'what',
  'target',
  'input',
  'channel',
  'thread',
  'outcome',
  'said',
  'error_code',
  'approved_by',
  'approved_by_name',
  'declined_by',
  'declined_by_name',
  'queued_at',
  'sent_at',
  'settled_at',
  'took_ms',
  'waited_for_confirmation_ms',
  'waited_for_quota_ms',
  'waited_for_answer_ms',
] as const;

function formatCsvLine(entry: ExportedEntry): string {
  return formatCsvRow(exportColumns.map((column) => entry[column] ?? null));
}

function formatJsonLine(entry: ExportedEntry): string {
  return `${JSON.stringify({ ...entry, input: JSON.parse(String(entry.input)) })}\n`;
}

async function toExportedEntry(
  run: AuditEntry,
  findDisplayName: FindDisplayName,
): Promise<Record<(typeof exportColumns)[number], Cell>> {
  const { actor, approvedBy, declinedBy, origin } = run;
  const durations = toRunDurations(run);
  const nameOrNull = async (id: string | null) => (id === null ? null : findDisplayName(actor.teamId, id));
  return {
    id: run.id,
    requested_at: formatIsoTime(run.requestedMs),
    who: actor.userId,
    who_name: await findDisplayName(actor.teamId, actor.userId),
    what: run.operation,
    target: run.target,
    input: JSON.stringify(run.input),
    channel: origin.channel ?? null,
    thread: origin.threadTs ?? null,
    outcome: run.status,
    said: run.isUnreadable ? `(${unreadableNote})` : run.summary,
    error_code: run.errorCode,
    approved_by: approvedBy,
    approved_by_name: await nameOrNull(approvedBy),
    declined_by: declinedBy,
    declined_by_name: await nameOrNull(declinedBy),
    queued_at: formatIsoTime(run.queuedMs),
    sent_at: formatIsoTime(run.sentMs),
    settled_at: formatIsoTime(run.settledMs),
    took_ms: durations.totalMs,
    waited_for_confirmation_ms: durations.confirmationMs,
    waited_for_quota_ms: durations.quotaMs,
    waited_for_answer_ms: durations.responseMs,
  };
}

function formatIsoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}

/** Caches display names. Only the first `maxNameLookups` people are looked up, each of them once. */
function cacheNames(findDisplayName: FindDisplayName): FindDisplayName {
  const known = new Map<string, string>();
  return async (teamId, userId) => {
    const name =
      known.get(userId) ?? (known.size < maxNameLookups ? await findDisplayName(teamId, userId) : userId);
    known.set(userId, name);
    return name;
  };
}
