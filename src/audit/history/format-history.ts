import type { RawInput } from '../../operations/define/arguments/raw-input.ts';
import type { Fact, NextStep, Outcome, Value } from '../../operations/define/outcome.ts';
import type { LabelVps } from '../../operations/format/label-vps.ts';
import { runStatusLabels } from '../../runs/run-status.ts';
import { formatActors } from '../actor-names.ts';
import { type AuditEntry, formatAction, toDurationValue, toRunDurations } from '../audit-entry.ts';
import type { AuditPage } from './find-audit-page.ts';
import { formatPage, type HistorySubject } from './history-arguments.ts';

export interface HistoryFilters {
  readonly subject: HistorySubject & { readonly vpsLabel?: string };
  readonly isFailedOnly: boolean;
  readonly since: string | undefined;
}

type FindPersonName = (userId: string) => Promise<string>;

/** The person who reads the log. */
interface HistoryReader {
  readonly findPersonName: FindPersonName;
  /** Labels the VPS of runs that ended before their names were looked up. */
  readonly labelVps: LabelVps;
  readonly canExport: boolean;
}

/**
 * The most important columns come first, since a phone shows three. "Why" appears only if some run
 * has a reason.
 */
function listColumns(hasReasons: boolean): readonly string[] {
  return ['Who', 'Outcome', 'What', ...(hasReasons ? ['Why'] : []), 'When', 'Took'];
}

export async function formatHistory(
  page: AuditPage,
  filters: HistoryFilters,
  { findPersonName, labelVps, canExport }: HistoryReader,
): Promise<Outcome> {
  const { entries, searchedToMs } = page;
  const hasReasons = entries.some((run) => findReason(run) !== null);
  const rows = await Promise.all(entries.map((run) => toRow(run, hasReasons, { findPersonName, labelVps })));
  const searchFacts: readonly Fact[] =
    searchedToMs === undefined
      ? []
      : [{ label: 'Searched back to', value: { kind: 'time', timeMs: searchedToMs } }];
  return {
    title: rows.length > 0 ? 'Activity log' : 'No activity found',
    facts: [...(await toFacts(filters, findPersonName)), ...searchFacts],
    ...(rows.length > 0 && { table: { columns: listColumns(hasReasons), rows } }),
    notes: toNotes(page, filters),
    next: toNextSteps(page, filters, canExport),
  };
}

async function toRow(
  run: AuditEntry,
  hasReasons: boolean,
  { findPersonName, labelVps }: Pick<HistoryReader, 'findPersonName' | 'labelVps'>,
): Promise<readonly Value[]> {
  const { totalMs } = toRunDurations(run);
  return [
    await formatActors(run, (_, userId) => findPersonName(userId)),
    runStatusLabels[run.status],
    formatAction({ ...run, target: await formatTarget(run, findPersonName) }, labelVps),
    ...(hasReasons ? [findReason(run) ?? '–'] : []),
    { kind: 'time', timeMs: run.requestedMs },
    totalMs === null ? '–' : toDurationValue(totalMs),
  ];
}

/** Returns why a run wasn't successful, or null if it was. */
function findReason({ errorCode, summary }: AuditEntry): string | null {
  return errorCode === null ? null : summary;
}

/** Replaces the IDs of grantees in a target by their names. */
async function formatTarget(
  { operation, target }: AuditEntry,
  findPersonName: FindPersonName,
): Promise<string | null> {
  if (target === null) return null;
  const ids = operation.startsWith('access ') ? (target.match(/\b[UW][A-Z0-9]{4,}\b/g) ?? []) : [];
  const named = await Promise.all(
    [...new Set(ids)].map(async (id) => [id, await findPersonName(id)] as const),
  );
  return named.reduce((text, [id, name]) => text.replaceAll(id, name), target);
}

/** Lists the active filters as facts. */
async function toFacts(
  { subject, isFailedOnly, since }: HistoryFilters,
  findPersonName: FindPersonName,
): Promise<readonly Fact[]> {
  const { vps, vpsLabel = vps, userId } = subject;
  return [
    ...(vpsLabel === undefined ? [] : [{ label: 'VPS', value: vpsLabel }]),
    ...(userId === undefined ? [] : [{ label: 'Person', value: await findPersonName(userId) }]),
    ...(since === undefined ? [] : [{ label: 'Since', value: since }]),
    ...(isFailedOnly ? [{ label: 'Only', value: 'unsuccessful runs' }] : []),
  ];
}

function toNotes({ entries, older, searchedToMs }: AuditPage, filters: HistoryFilters): readonly string[] {
  if (searchedToMs !== undefined) return ['There may be older matches: press Older to keep searching.'];
  if (entries.length > 0 || older) return [];
  const isAll = Object.keys(toRawInput(filters)).length === 0;
  return [isAll ? 'Commands appear here once they are run.' : 'No activity that you have access to matches.'];
}

function toNextSteps(
  { newer, older }: AuditPage,
  filters: HistoryFilters,
  canExport: boolean,
): readonly NextStep[] {
  const input = toRawInput(filters);
  const { failed: _, ...unfiltered } = input;
  const operation = 'history';
  return [
    ...(newer ? [{ label: 'Newer', operation, input: { ...input, page: formatPage('newer', newer) } }] : []),
    ...(older ? [{ label: 'Older', operation, input: { ...input, page: formatPage('older', older) } }] : []),
    filters.isFailedOnly
      ? { label: 'Show All', operation, input: unfiltered }
      : { label: 'Only Failed', operation, input: { ...input, failed: true } },
    ...(canExport ? [{ label: 'Export CSV', operation, input: { ...input, export: 'csv' } }] : []),
  ];
}

/** Turns the filters back into an operation's input, which the buttons carry. */
function toRawInput({ subject: { vps, userId }, isFailedOnly, since }: HistoryFilters): RawInput {
  const about = [vps, userId && `@${userId}`].filter((part) => part !== undefined);
  return {
    ...(about.length > 0 && { about: about.join(' ') }),
    ...(isFailedOnly && { failed: true }),
    ...(since !== undefined && { since }),
  };
}
