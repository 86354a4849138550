import { deleteSnapshot } from '../../hosting/endpoints/snapshots.ts';
import { remoteArgument, vpsArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { snapshots } from '../sources/snapshots.ts';
import { tellResult } from '../tell-result.ts';
import { presentSnapshot } from './present.ts';

export const remove = defineChange({
  name: 'snapshot delete',
  heading: 'Delete a snapshot',
  summary: 'Delete a snapshot of a VPS',
  arguments: {
    vps: vpsArgument(),
    snapshot: remoteArgument({ source: snapshots, label: 'Snapshot', example: 'before-upgrade' }),
  },
  change: deleteSnapshot,
  button: 'Delete Snapshot',
  warning: 'The VPS itself stays as it is, but it cannot be put back to this snapshot any more.',
  title: ({ vps, snapshot }) => `Delete snapshot ${snapshot} of ${vps}`,
  target: ({ vps }) => vps,
  present: ({ read }, input) => presentSnapshot(read, input),
  request: ({ vps, snapshot }) => ({ params: { vps_name: vps, name: snapshot } }),
  outcome: (data, { vps, snapshot }) => ({
    title: `Snapshot ${snapshot} of ${vps} is deleted`,
    ...tellResult(data, { without: ['vps_name', 'name', 'deleted'] }),
    next: [{ label: 'List Snapshots', operation: 'snapshot list', input: { vps } }],
  }),
});
