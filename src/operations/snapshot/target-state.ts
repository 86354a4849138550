import { formatDuration } from '../../charts/format/format-quantity.ts';
import { listSnapshots } from '../../hosting/endpoints/snapshots.ts';
import { readSnapshots, type Snapshot } from '../../hosting/payloads/snapshots.ts';
import { dayMs } from '../../time/units.ts';
import type { WarningState } from '../define/operation.ts';
import type { Fact } from '../define/outcome.ts';
import type { Read } from '../define/read.ts';
import type { TargetState } from '../define/target-state.ts';
import { formatOtherFacts } from '../format/record-columns.ts';
import { createTargetState, readTargetStateIfPermitted } from '../format/target-state.ts';

const shownFields =
  /^((snapshot|snap|vps)?(name|id)?|title|label|state|status|(creat|taken|snap)\w*|date|time|timestamp)$/;
const shownFieldsWithSize = new RegExp(`${shownFields.source}|^(disk|used|total|snapshot)?size\\w*$`);

/**
 * Returns a pattern for the normalized names of snapshot fields that have their own column or fact and are
 * left out of other lists.
 */
export function shownSnapshotFields(snapshots: readonly Snapshot[]): RegExp {
  const haveSizes = snapshots.some(({ sizeBytes }) => sizeBytes !== undefined);
  return haveSizes ? shownFieldsWithSize : shownFields;
}

const takenLabel = 'Taken';

/** Formats the snapshot's age, such as `20 days`. Returns undefined if it is unknown. */
export function formatAge({ facts, nowMs }: WarningState): string | undefined {
  const taken = facts.find(({ label }) => label === takenLabel)?.value;
  if (typeof taken !== 'object' || taken.kind !== 'time' || taken.timeMs > nowMs) return undefined;
  const days = Math.floor((nowMs - taken.timeMs) / dayMs);
  return days < 2 ? formatDuration(nowMs - taken.timeMs) : `${days} days`;
}

/** Reads when a snapshot was taken, its size and its state, for the confirmation card. */
export function readSnapshotState(
  read: Read,
  { vps, snapshot }: { vps: string; snapshot: string },
): Promise<TargetState> {
  return readTargetStateIfPermitted('Snapshot', async () => {
    const { snapshots } = readSnapshots(await read(listSnapshots, { params: { vps_name: vps } }), vps);
    const [found, ...others] = snapshots.filter(({ name }) => name === snapshot);
    if (others.length > 0) {
      const count = others.length + 1;
      const value = `${count} snapshots are called ${snapshot}. The service decides which of them it uses.`;
      return createTargetState([{ label: 'Snapshot', value }]);
    }
    if (!found) return createTargetState([{ label: 'Snapshot', value: `${snapshot} is not in the list` }]);
    const { createdAtMs, sizeBytes, state, record } = found;
    const facts: readonly Fact[] = [
      ...(createdAtMs === undefined
        ? []
        : [{ label: takenLabel, value: { kind: 'time', timeMs: createdAtMs } as const }]),
      ...(sizeBytes === undefined
        ? []
        : [{ label: 'Size', value: { kind: 'bytes', bytes: sizeBytes } as const }]),
      ...(state === undefined ? [] : [{ label: 'Snapshot state', value: { kind: 'state', state } as const }]),
    ];
    return createTargetState(facts, formatOtherFacts(record, shownSnapshotFields([found])));
  });
}
