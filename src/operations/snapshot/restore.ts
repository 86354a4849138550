import { restoreSnapshot } from '../../hosting/endpoints/snapshots.ts';
import { remoteArgument, vpsArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { snapshots } from '../sources/snapshots.ts';
import { tellResult } from '../tell-result.ts';
import { followVps } from '../vps/follow.ts';
import { presentVps } from '../vps/present.ts';
import { presentSnapshot } from './present.ts';

export const restore = defineChange({
  name: 'snapshot restore',
  heading: 'Restore a snapshot',
  summary: 'Put a VPS back to one of its snapshots',
  arguments: {
    vps: vpsArgument(),
    snapshot: remoteArgument({ source: snapshots, label: 'Snapshot', example: 'before-upgrade' }),
  },
  change: restoreSnapshot,
  button: 'Restore',
  warning: 'Everything that was written to the VPS since the snapshot is lost.',
  typedToConfirm: ({ vps }) => vps,
  title: ({ vps, snapshot }) => `Restore ${vps} from snapshot ${snapshot}`,
  target: ({ vps }) => vps,
  async present({ read }, input) {
    const [vps, snapshot] = await Promise.all([presentVps(read, input.vps), presentSnapshot(read, input)]);
    return {
      facts: [
        ...vps.facts.map((fact) => ({ ...fact, label: `${fact.label} of ${input.vps}` })),
        ...snapshot.facts,
      ],
      state: JSON.stringify([vps.state, snapshot.state]),
    };
  },
  request: ({ vps, snapshot }) => ({ params: { vps_name: vps, name: snapshot } }),
  follow: ({ read }, { vps }) => followVps(read, vps),
  outcome: (data, { vps, snapshot }) => ({
    title: `${vps} is being restored from ${snapshot}`,
    ...tellResult(data, { without: ['vps_name', 'name'] }),
    next: [
      { label: 'Show VPS', operation: 'show', input: { vps } },
      { label: 'List Snapshots', operation: 'snapshot list', input: { vps } },
    ],
  }),
});
