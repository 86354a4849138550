import { deleteSnapshot } from '../../hosting/endpoints/snapshots.ts';
import { snapshotChoices } from '../choices/sources/snapshots.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { remoteArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';
import { readSnapshotState } from './target-state.ts';

export const snapshotDelete = defineChange({
  name: 'snapshot delete',
  heading: 'Delete a snapshot',
  summary: 'Delete a snapshot of a VPS',
  arguments: {
    vps: vpsArgument(),
    snapshot: remoteArgument({ source: snapshotChoices, label: 'Snapshot', example: 'before-upgrade' }),
  },
  endpoint: deleteSnapshot,
  button: 'Delete Snapshot',
  warning: "The snapshot is lost for good. The VPS isn't changed.",
  title: ({ vps, snapshot }) => `Delete snapshot ${snapshot} of ${vps}`,
  target: ({ vps }) => vps,
  readTargetState: ({ read }, input) => readSnapshotState(read, input),
  request: ({ vps, snapshot }) => ({ params: { vps_name: vps, name: snapshot } }),
  outcome: (data, { vps, snapshot }) => ({
    title: `Snapshot ${snapshot} of ${vps} is deleted`,
    ...formatResult(data, { omit: ['vps_name', 'name', 'deleted'] }),
    next: [{ label: 'List Snapshots', operation: 'snapshot list', input: { vps } }],
  }),
});
