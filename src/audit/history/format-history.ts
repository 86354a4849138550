import type { RawInput } from '../../operations/define/arguments/raw-input.ts';
import type { Fact, NextStep, Outcome, Value } from '../../operations/define/outcome.ts';
import type { LabelVps } from '../../operations/format/label-vps.ts';
import { findStatedReason } from '../../runs/stated-reason.ts';
import { formatActors } from '../actor-names.ts';
import {
  type AuditEntry,
  formatAction,
  formatEntryStatus,
  toDurationValue,
  toRunDurations,
  unreadableNote,
} from '../audit-entry.ts';
import type { KindFilter } from '../entry-kind.ts';
import type { AuditPage } from './find-audit-page.ts';
import { formatPage, type HistorySubject } from './history-arguments.ts';

export interface HistoryFilters {
  readonly subject: HistorySubject & { readonly vpsLabel?: string };
  readonly isFailedOnly: boolean;
  readonly kind: KindFilter | undefined;
  readonly target: string | undefined;
  readonly since: string | undefined;
}

type FindPersonName = (userId: string) => Promise<string>;

interface HistoryReader {
  readonly findPersonName: FindPersonName;
  /** Labels VPS in runs that ended before the labels of their VPS were looked up. */
  readonly labelVps: LabelVps;
  readonly canExport: boolean;
}

interface Column {
  readonly heading: string;
  toValue(run: AuditEntry): Promise<Value> | Value;
}

/** Minimum wait (ms) that is shown. A shorter wait is just the time for the checks before a run. */
const minWaitMs = 1_000;

/**
 * Lists the columns, most important first, because a phone shows only three. "Why" and "Waited" are
 * included only if some run has a reason or waited for a click.
 */
function listColumns(
  entries: readonly AuditEntry[],
  { findPersonName, labelVps }: Pick<HistoryReader, 'findPersonName' | 'labelVps'>,
): readonly Column[] {
  const columns: readonly (Column & { readonly isShown?: (run: AuditEntry) => boolean })[] = [
    { heading: 'Who', toValue: (run) => formatActors(run, (_, userId) => findPersonName(userId)) },
    { heading: 'Outcome', toValue: formatEntryStatus },
    {
      heading: 'What',
      toValue: async (run) => {
        const action = formatAction({ ...run, target: await formatTarget(run, findPersonName) }, labelVps);
        return run.isUnreadable ? `${action} (${unreadableNote})` : action;
      },
    },
    {
      heading: 'Why',
      isShown: (run) => findReason(run) !== '',
      toValue: (run) => findReason(run) || '–',
    },
    { heading: 'When', toValue: ({ requestedMs }) => ({ kind: 'time', timeMs: requestedMs }) },
    {
      heading: 'Waited',
      isShown: (run) => findWaitMs(run) !== null,
      toValue: (run) => toDurationOrDash(findWaitMs(run)),
    },
    { heading: 'Took', toValue: (run) => toDurationOrDash(toRunDurations(run).workMs) },
  ];
  return columns.filter(({ isShown }) => isShown === undefined || entries.some(isShown));
}

export async function formatHistory(
  page: AuditPage,
  filters: HistoryFilters,
  { findPersonName, labelVps, canExport }: HistoryReader,
): Promise<Outcome> {
  const { entries, searchedToMs } = page;
  const columns = listColumns(entries, { findPersonName, labelVps });
  const rows = await Promise.all(
    entries.map((run) => Promise.all(columns.map((column) => column.toValue(run)))),
  );
  const searchFacts: readonly Fact[] =
    searchedToMs === undefined
      ? []
      : [{ label: 'Searched back to', value: { kind: 'time', timeMs: searchedToMs } }];
  return {
    title: rows.length > 0 ? 'Activity log' : 'No activity found',
    facts: [...(await toFacts(filters, findPersonName)), ...searchFacts],
    ...(rows.length > 0 && { table: { columns: columns.map(({ heading }) => heading), rows } }),
    notes: toNotes(page, filters),
    next: toNextSteps(page, filters, canExport),
  };
}

/** Returns how long (ms) a run waited for a click, or null if it didn't wait. */
function findWaitMs(run: AuditEntry): number | null {
  const { confirmationMs } = toRunDurations(run);
  return confirmationMs !== null && confirmationMs >= minWaitMs ? confirmationMs : null;
}

function toDurationOrDash(durationMs: number | null): Value {
  return durationMs === null ? '–' : toDurationValue(durationMs);
}

/** Returns a run's stated reason and its error message, or an empty string if it has neither. */
function findReason(run: AuditEntry): string {
  const { errorCode, summary } = run;
  const reasons = [findStatedReason(run), errorCode === null ? undefined : summary];
  return reasons.filter((reason) => reason).join(' · ');
}

/** Formats a target, with names in place of grantee IDs. */
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

async function toFacts(
  { subject, isFailedOnly, kind, target, since }: HistoryFilters,
  findPersonName: FindPersonName,
): Promise<readonly Fact[]> {
  const { vps, vpsLabel = vps, userId } = subject;
  return [
    ...(vpsLabel === undefined ? [] : [{ label: 'VPS', value: vpsLabel }]),
    ...(userId === undefined ? [] : [{ label: 'Person', value: await findPersonName(userId) }]),
    ...(target === undefined ? [] : [{ label: 'Target', value: target }]),
    ...(since === undefined ? [] : [{ label: 'Since', value: since }]),
    ...(kind === undefined ? [] : [{ label: 'Kind', value: kind }]),
    ...(isFailedOnly ? [{ label: 'Only', value: 'unsuccessful runs' }] : []),
  ];
}

function toNotes({ entries, older, searchedToMs }: AuditPage, filters: HistoryFilters): readonly string[] {
  if (searchedToMs !== undefined) return ['There may be older matches: press Older to keep searching.'];
  if (entries.length > 0 || older) return [];
  const isAll = Object.keys(toRawInput(filters)).length === 0;
  return [
    isAll
      ? "Changes appear here once they've run. Press With Reads to see everything."
      : 'No activity that you have access to matches.',
  ];
}

function toNextSteps(
  { newer, older }: AuditPage,
  filters: HistoryFilters,
  canExport: boolean,
): readonly NextStep[] {
  const input = toRawInput(filters);
  const { failed: _, ...unfiltered } = input;
  const { kind: __, ...withoutKind } = input;
  const operation = 'history';
  return [
    ...(newer ? [{ label: 'Newer', operation, input: { ...input, page: formatPage('newer', newer) } }] : []),
    ...(older ? [{ label: 'Older', operation, input: { ...input, page: formatPage('older', older) } }] : []),
    filters.isFailedOnly
      ? { label: 'Show All', operation, input: unfiltered }
      : { label: 'Only Failed', operation, input: { ...input, failed: true } },
    filters.kind === undefined
      ? { label: 'With Reads', operation, input: { ...input, kind: 'all' } }
      : { label: 'Without Reads', operation, input: withoutKind },
    ...(canExport ? [{ label: 'Export CSV', operation, input: { ...input, export: 'csv' } }] : []),
  ];
}

/** Converts the filters back to raw input, which the buttons send. */
function toRawInput({
  subject: { vps, userId },
  isFailedOnly,
  kind,
  target,
  since,
}: HistoryFilters): RawInput {
  const about = [vps, userId && `@${userId}`].filter((part) => part !== undefined);
  return {
    ...(about.length > 0 && { about: about.join(' ') }),
    ...(isFailedOnly && { failed: true }),
    ...(kind !== undefined && { kind }),
    ...(target !== undefined && { target }),
    ...(since !== undefined && { since }),
  };
}
