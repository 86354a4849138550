import { listSnapshots } from '../../hosting/endpoints/snapshots.ts';
import { readSnapshots } from '../../hosting/readings/snapshots.ts';
import type { Present, Read } from '../operation.ts';
import type { Fact } from '../outcome.ts';
import { presentIfPermitted, presentOf } from '../present.ts';
import { otherFacts } from '../record-columns.ts';

/** Bare names of the fields that tell what is shown of a snapshot anyway. */
export const shownOfSnapshot =
  /^((snapshot|snap|vps)?(name|id)?|title|label|state|status|(creat|taken|snap)\w*|date|time|timestamp|(disk|used|total|snapshot)?size\w*)$/;

/** Reads what a confirmation shows of a snapshot: when it was taken, how large it is. */
export function presentSnapshot(
  read: Read,
  { vps, snapshot }: { vps: string; snapshot: string },
): Promise<Present> {
  return presentIfPermitted('Snapshot', async () => {
    const { snapshots } = readSnapshots(await read(listSnapshots, { params: { vps_name: vps } }));
    const found = snapshots.find(({ name }) => name === snapshot);
    if (!found) return presentOf([{ label: 'Snapshot', value: `${snapshot} is not in the list` }]);
    const { createdMs, sizeBytes, state, record } = found;
    const facts: readonly Fact[] = [
      { label: 'Snapshot', value: snapshot },
      ...(createdMs === undefined ? [] : [{ label: 'Taken', value: { timeMs: createdMs } }]),
      ...(sizeBytes === undefined ? [] : [{ label: 'Size', value: { bytes: sizeBytes } }]),
      ...(state === undefined ? [] : [{ label: 'Snapshot state', value: { state } }]),
    ];
    return presentOf(facts, otherFacts(record, shownOfSnapshot));
  });
}
