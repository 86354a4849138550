import { listSnapshots } from '../../hosting/endpoints/snapshots.ts';
import {
  readSnapshots,
  type SnapshotListReading,
  type SnapshotReading,
} from '../../hosting/readings/snapshots.ts';
import { vpsArgument } from '../argument.ts';
import { defineRead } from '../operation.ts';
import type { Outcome, Value } from '../outcome.ts';
import { recordColumns } from '../record-columns.ts';
import { tellResult } from '../tell-result.ts';
import { shownOfSnapshot } from './present.ts';

export const list = defineRead({
  name: 'snapshot list',
  heading: 'List snapshots',
  summary: 'List the snapshots of a VPS',
  arguments: { vps: vpsArgument() },
  uses: [listSnapshots],
  async run({ read }, { vps }) {
    return describeSnapshots(readSnapshots(await read(listSnapshots, { params: { vps_name: vps } })), vps);
  },
});

function describeSnapshots({ snapshots, mayHaveMore, rest }: SnapshotListReading, vps: string): Outcome {
  const count = snapshots.length;
  // The newest is the one that people look for. Where times are missing the service's own order stands.
  const sorted = snapshots.toSorted((a, b) => (b.createdMs ?? 0) - (a.createdMs ?? 0));
  const columns = knownColumns.filter(({ cell }) => sorted.some((snapshot) => cell(snapshot) !== undefined));
  const extra = recordColumns(sorted, shownOfSnapshot);
  const { facts, secrets } = tellResult(rest, { without: ['vps_name'] });
  const choose = (label: string, operation: string) => ({
    label,
    operation,
    argument: 'snapshot',
    input: { vps },
  });
  return {
    title: `${count === 0 ? 'No snapshots' : count === 1 ? '1 snapshot' : `${count} snapshots`} of ${vps}`,
    facts,
    secrets: [...secrets, ...extra.secrets],
    table: {
      columns: ['Snapshot', ...columns.map(({ label }) => label), ...extra.columns],
      rows: sorted.map((snapshot, index) => [
        snapshot.name,
        ...columns.map(({ cell }) => cell(snapshot) ?? '–'),
        ...(extra.rows[index] ?? []),
      ]),
    },
    notes: [
      ...(count === 0 ? ['Take one before you change something that you may want to go back from.'] : []),
      ...(mayHaveMore ? ['The service hints at further pages: there may be more than these.'] : []),
      ...extra.notes,
    ],
    choose:
      count === 0
        ? []
        : [choose('Restore a Snapshot', 'snapshot restore'), choose('Delete a Snapshot', 'snapshot delete')],
    next: [{ label: 'Take Snapshot', operation: 'snapshot create', input: { vps } }],
  };
}

const knownColumns: readonly {
  readonly label: string;
  readonly cell: (snapshot: SnapshotReading) => Value | undefined;
}[] = [
  { label: 'Taken', cell: ({ createdMs }) => (createdMs === undefined ? undefined : { timeMs: createdMs }) },
  { label: 'State', cell: ({ state }) => (state === undefined ? undefined : { state }) },
  { label: 'Size', cell: ({ sizeBytes }) => (sizeBytes === undefined ? undefined : { bytes: sizeBytes }) },
];
