import { listSnapshots } from '../../hosting/endpoints/snapshots.ts';
import { readSnapshots, type Snapshot, type SnapshotList } from '../../hosting/payloads/snapshots.ts';
import { isVpsName } from '../../hosting/payloads/vps-name.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { defineRead } from '../define/define-operation.ts';
import type { Outcome, Value } from '../define/outcome.ts';
import { moreArgument, moreStep } from '../format/facts.ts';
import { formatFields } from '../format/format-result.ts';
import { incompleteNote, unreadNote } from '../format/list-notes.ts';
import { buildRecordColumns } from '../format/record-columns.ts';
import { shownSnapshotFields } from './target-state.ts';

export const snapshotList = defineRead({
  name: 'snapshot list',
  heading: 'List snapshots',
  summary: 'List the snapshots of a VPS',
  arguments: { vps: vpsArgument(), more: moreArgument() },
  endpoints: [listSnapshots],
  async run({ read }, { vps, more }) {
    const data = await read(listSnapshots, { params: { vps_name: vps } });
    return formatSnapshots(readSnapshots(data, vps), { vps, more });
  },
});

/**
 * Returns whether the snapshots have only names and the payload contains another list of names, as in `{
 * automatic: ['a'], manual: ['b'] }`. It is then unknown which of the lists contains the snapshots.
 */
function hasOtherNames({ snapshots, otherFields }: SnapshotList): boolean {
  const areNames = (list: unknown) =>
    Array.isArray(list) &&
    list.length > 0 &&
    list.every((name) => typeof name === 'string' && !isVpsName(name));
  return (
    snapshots.every(({ record }) => Object.keys(record).join() === 'name') &&
    Object.values(otherFields).some(areNames)
  );
}

interface ListView {
  readonly vps: string;
  readonly more: boolean;
}

function formatSnapshots(list: SnapshotList, { vps, more }: ListView): Outcome {
  const { snapshots, isNone, hasMore, otherFields } = list;
  const count = snapshots.length;
  const isUnread = count === 0 ? !isNone : hasOtherNames(list);
  // Newest first. Snapshots without a time come last, in the service's order.
  const sorted = snapshots.toSorted((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0));
  const columns = knownColumns.filter(({ cell }) => sorted.some((snapshot) => cell(snapshot) !== undefined));
  const extra = buildRecordColumns(sorted, { shown: shownSnapshotFields(sorted), more });
  const step = { operation: 'snapshot list', input: { vps }, more };
  const fields = formatFields(otherFields, step, { omit: ['vps_name'] });
  const choose = (label: string, operation: string) => ({
    label,
    operation,
    argument: 'snapshot',
    input: { vps },
  });
  return {
    title: isUnread
      ? `Snapshots of ${vps}`
      : `${count === 0 ? 'No snapshots' : count === 1 ? '1 snapshot' : `${count} snapshots`} of ${vps}`,
    facts: fields.facts,
    secrets: [...fields.secrets, ...extra.secrets],
    table: {
      columns: ['Snapshot', ...columns.map(({ label }) => label), ...extra.columns],
      rows: sorted.map((snapshot, index) => [
        snapshot.name,
        ...columns.map(({ cell }) => cell(snapshot) ?? '–'),
        ...(extra.rows[index] ?? []),
      ]),
    },
    notes: [
      ...(isUnread ? [unreadNote] : []),
      ...(count === 0 && !isUnread ? ['Take one before a change you may want to undo.'] : []),
      ...(hasMore ? [incompleteNote] : []),
    ],
    choiceSteps:
      count === 0
        ? []
        : [choose('Restore a Snapshot', 'snapshot restore'), choose('Delete a Snapshot', 'snapshot delete')],
    next: [
      { label: 'Take Snapshot', operation: 'snapshot create', input: { vps } },
      ...(extra.hasMore ? [moreStep('snapshot list', { vps })] : fields.more),
    ],
  };
}

const knownColumns: readonly {
  readonly label: string;
  readonly cell: (snapshot: Snapshot) => Value | undefined;
}[] = [
  {
    label: 'Taken',
    cell: ({ createdAtMs }) =>
      createdAtMs === undefined ? undefined : { kind: 'time', timeMs: createdAtMs },
  },
  { label: 'State', cell: ({ state }) => (state === undefined ? undefined : { kind: 'state', state }) },
  {
    label: 'Size',
    cell: ({ sizeBytes }) => (sizeBytes === undefined ? undefined : { kind: 'bytes', bytes: sizeBytes }),
  },
];
