import { setImmediate as breathe } from 'node:timers/promises';
import type { exportFormats } from './arguments.ts';
import { type Cell, csvRow } from './csv.ts';
import type { NameOf } from './names.ts';
import type { Extent, Position, RecordStore } from './record-store.ts';
import { type RecordedRun, waitsOf } from './recorded-run.ts';
import type { Sight } from './sight.ts';

export type ExportFormat = (typeof exportFormats)[number];

/** Runs that are read at once: they keep the event loop for some 10 ms with an embedded database. */
const pieceRuns = 200;

/** People whose names are looked up for one file: more would keep the others waiting for Slack. */
const mostNames = 80;

type Exported = Readonly<Record<string, Cell>>;

export interface ExportParts {
  readonly store: Pick<RecordStore, 'read'>;
  readonly nameOf: NameOf;
}

/** Writes the wanted runs of a record, oldest first and piece by piece; `count` is told how many there are in each. */
export async function* exportRecord(
  { store, nameOf }: ExportParts,
  { extent, isWanted, format }: { extent: Extent; isWanted: Sight; format: ExportFormat },
  count: (runs: number) => void,
): AsyncGenerator<string> {
  const naming = keepNames(nameOf);
  const write = format === 'csv' ? csvLine : jsonLine;
  if (format === 'csv') yield csvRow(columns);
  let from: Position | undefined;
  for (;;) {
    const piece = await store.read(extent, { direction: 'newer', from, most: pieceRuns });
    const wanted = piece.filter(isWanted);
    let text = '';
    for (const run of wanted) text += write(await exported(run, naming));
    count(wanted.length);
    if (text !== '') yield text;
    const last = piece.at(-1);
    if (!last || piece.length < pieceRuns) return;
    await breathe();
    from = { requestedMs: last.requestedMs, id: last.id };
  }
}

const columns = [
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

function csvLine(run: Exported): string {
  return csvRow(columns.map((column) => run[column] ?? null));
}

function jsonLine(run: Exported): string {
  return `${JSON.stringify({ ...run, input: JSON.parse(String(run.input)) })}\n`;
}

async function exported(run: RecordedRun, nameOf: NameOf): Promise<Record<(typeof columns)[number], Cell>> {
  const { asker, approvedBy, declinedBy, origin } = run;
  const waits = waitsOf(run);
  const nameOrNone = async (id: string | null) => (id === null ? null : nameOf(asker.teamId, id));
  return {
    id: run.id,
    requested_at: isoTime(run.requestedMs),
    who: asker.userId,
    who_name: await nameOf(asker.teamId, asker.userId),
    what: run.operation,
    target: run.target,
    input: JSON.stringify(run.input),
    channel: origin.channel ?? null,
    thread: origin.threadTs ?? null,
    outcome: run.status,
    said: run.said,
    error_code: run.errorCode,
    approved_by: approvedBy,
    approved_by_name: await nameOrNone(approvedBy),
    declined_by: declinedBy,
    declined_by_name: await nameOrNone(declinedBy),
    queued_at: isoTime(run.queuedMs),
    sent_at: isoTime(run.sentMs),
    settled_at: isoTime(run.settledMs),
    took_ms: waits.tookMs,
    waited_for_confirmation_ms: waits.forConfirmationMs,
    waited_for_quota_ms: waits.forQuotaMs,
    waited_for_answer_ms: waits.forAnswerMs,
  };
}

function isoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}

/** Looks each name up once, and of too many people none but the first. */
function keepNames(nameOf: NameOf): NameOf {
  const known = new Map<string, string>();
  return async (teamId, userId) => {
    const name = known.get(userId) ?? (known.size < mostNames ? await nameOf(teamId, userId) : userId);
    known.set(userId, name);
    return name;
  };
}
