import { listVps } from '../../../hosting/endpoints/vps.ts';
import { saysNone } from '../../../hosting/payloads/entries.ts';
import { findPagesRead, type PagesRead } from '../../../hosting/payloads/pages.ts';
import { readVpsList, type Vps, type VpsList } from '../../../hosting/payloads/vps.ts';
import { isSecretFieldName } from '../../../hosting/secret-detection.ts';
import { toVpsChoices } from '../../choices/sources/vps.ts';
import { type CheckAccess, canViewVps } from '../../define/access/access.ts';
import { defineRead } from '../../define/define-operation.ts';
import type { Fact, Outcome, Value } from '../../define/outcome.ts';
import { formatFact } from '../../format/facts.ts';
import { formatResult } from '../../format/format-result.ts';
import { alwaysShownFields, sortIdentifyingFirst } from '../../format/identifying-fields.ts';
import { incompleteNote, unreadNote } from '../../format/list-notes.ts';
import { createVpsLabels } from '../../format/vps-label.ts';
import { describeFilters, filterVps, type ListFilters, listArguments } from './list-filters.ts';

/** Maximum number of columns besides name and state. More aren't readable on a phone. */
const maxExtraColumns = 3;

/** Maximum number of states that are listed by name with their counts. */
const maxNamedStates = 6;

interface ListView {
  readonly labels: ReturnType<typeof createVpsLabels>;
  readonly choices: ReturnType<typeof toVpsChoices>;
  readonly filters: ListFilters;
  readonly pages?: PagesRead | undefined;
  /** Whether the response explicitly says that there are no VPS. */
  readonly isNone?: boolean;
}

export const list = defineRead({
  name: 'list',
  heading: 'List VPS',
  summary: 'List your VPS: all, those in a state, or those with a name or pattern',
  arguments: listArguments,
  isFilteredByRights: true,
  endpoints: [listVps],
  async run({ read, loadAccess, workspace }, filters) {
    const [fleet, checkAccess, ownAliases] = await Promise.all([
      read(listVps, {}),
      loadAccess(),
      workspace.listVpsAliases(),
    ]);
    const reading = readVpsList(fleet);
    const labels = createVpsLabels(reading.vps, ownAliases);
    const choices = toVpsChoices(reading.vps, ownAliases);
    const isNone = saysNone(fleet);
    if (checkAccess({ right: 'view', vps: [] }))
      return formatVisibleVps(reading, checkAccess, { labels, choices, filters, isNone });
    return formatVpsList(reading, { labels, choices, filters, pages: findPagesRead(fleet), isNone });
  },
});

/** Formats the list for a reader who isn't allowed to view all VPS. Leaves out facts about the list as a whole. */
function formatVisibleVps({ vps, hasMore }: VpsList, checkAccess: CheckAccess, view: ListView): Outcome {
  const seen = vps.filter(({ name }) => canViewVps(checkAccess, name));
  const notes = ['Only VPS you have access to are listed.', ...(hasMore ? [incompleteNote] : [])];
  if (vps.length === 0 && !view.isNone) return { title: 'VPS', notes: [...notes, unreadNote] };
  if (seen.length === 0) return { title: 'No VPS that you have access to', notes };
  return { ...formatVpsList({ vps: seen, hasMore: false, otherFields: {} }, view), notes };
}

function formatVpsList(
  { vps: all, hasMore, otherFields }: VpsList,
  { labels, choices, filters, pages, isNone }: ListView,
): Outcome {
  const notes = hasMore ? [incompleteNote] : [];
  if (all.length === 0) {
    return {
      title: isNone ? 'No VPS' : 'VPS',
      ...formatResult(otherFields),
      notes: hasMore ? notes : [isNone ? "The API key's account has no VPS." : unreadNote],
      next: [{ label: 'Show Key Details', operation: 'whoami', input: {} }],
    };
  }
  const vps = filterVps(all, filters, choices);
  const filtered = describeFilters(filters);
  const leading: readonly Fact[] = [
    { label: 'States', value: formatStateCounts(all) },
    // A list with several pages takes minutes to read, so it is cached for longer and its age is shown.
    ...(pages && pages.pages > 1
      ? [{ label: 'As of', value: { kind: 'time', timeMs: pages.atMs } } as const]
      : []),
  ];
  const extra = chooseColumns(vps);
  const whole = hasMore ? `the first ${all.length} VPS` : `${all.length} VPS`;
  return {
    title: filtered === '' ? whole.replace(/^t/, 'T') : `${vps.length} of ${whole}: ${filtered}`,
    ...formatResult(otherFields, { leading }),
    ...(vps.length > 0 && {
      table: {
        columns: ['VPS', 'State', ...extra.map((field) => formatColumnName(field, vps))],
        rows: vps.map(({ name, state, record }) => [
          labels.get(name) ?? name,
          { kind: 'state', state: state ?? 'not shown' } as const,
          ...extra.map((field) => formatCell(field, record[field])),
        ]),
      },
    }),
    notes,
    next: [
      ...(filtered === '' ? [] : [{ label: 'List All', operation: 'list', input: {} }]),
      { label: 'Quota', operation: 'quota', input: {} },
    ],
    choiceSteps: [{ label: 'Show a VPS', operation: 'show', argument: 'vps', input: {} }],
  };
}

/** Formats the number of VPS by state, most frequent first: "11 running, 1 stopped". */
function formatStateCounts(vps: readonly Vps[]): string {
  const counts = new Map<string, number>();
  for (const { state = 'without a state' } of vps) counts.set(state, (counts.get(state) ?? 0) + 1);
  const frequent = [...counts].sort(([, a], [, b]) => b - a);
  const others = frequent.slice(maxNamedStates).reduce((sum, [, count]) => sum + count, 0);
  const words = frequent.slice(0, maxNamedStates).map(([state, count]) => `${count} ${state}`);
  return [...words, ...(others > 0 ? [`${others} in other states`] : [])].join(', ');
}

/**
 * Returns the fields to show as columns, identifying ones first. A field needs a short value in at least
 * half of the records.
 */
function chooseColumns(vps: readonly Vps[]): readonly string[] {
  const fields = new Set(vps.flatMap(({ record }) => Object.keys(record)));
  const candidates = [...fields].filter(
    (field) => !alwaysShownFields.includes(field) && !isSecretFieldName(field),
  );
  const common = candidates.filter(
    (field) => vps.filter(({ record }) => isShort(record[field])).length * 2 >= vps.length,
  );
  return sortIdentifyingFirst(common).slice(0, maxExtraColumns);
}

function isShort(value: unknown): boolean {
  return (
    (typeof value === 'string' && value !== '' && value.length <= 60) ||
    typeof value === 'number' ||
    typeof value === 'boolean'
  );
}

/** Returns a column's name. The unit is left out, because the cells show it. */
function formatColumnName(field: string, vps: readonly Vps[]): string {
  return formatFact([field], vps.map(({ record }) => record[field]).find(isShort)).label;
}

function formatCell(field: string, value: unknown): Value {
  return isShort(value) ? formatFact([field], value).value : '–';
}
