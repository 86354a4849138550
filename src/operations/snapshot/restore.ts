import { restoreSnapshot } from '../../hosting/endpoints/snapshots.ts';
import { snapshotChoices } from '../choices/sources/snapshots.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { remoteArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';
import { readVpsProgress } from '../vps/progress.ts';
import { readVpsState } from '../vps/target-state.ts';
import { formatAge, readSnapshotState } from './target-state.ts';

export const snapshotRestore = defineChange({
  name: 'snapshot restore',
  heading: 'Restore a snapshot',
  summary: 'Restore a VPS from one of its snapshots',
  arguments: {
    vps: vpsArgument(),
    snapshot: remoteArgument({ source: snapshotChoices, label: 'Snapshot', example: 'before-upgrade' }),
  },
  endpoint: restoreSnapshot,
  button: 'Restore',
  warning(_, state) {
    const age = formatAge(state);
    return age === undefined
      ? 'All changes since the snapshot are lost.'
      : `The last ${age} of changes are lost.`;
  },
  confirmation: { losesData: true, textToType: ({ vps }) => vps },
  title: ({ vps, snapshot }) => `Restore ${vps} from snapshot ${snapshot}`,
  target: ({ vps }) => vps,
  async readTargetState({ read }, input) {
    const [vps, snapshot] = await Promise.all([
      readVpsState(read, input.vps),
      readSnapshotState(read, input),
    ]);
    return {
      facts: [...vps.facts, ...snapshot.facts],
      fingerprint: JSON.stringify([vps.fingerprint, snapshot.fingerprint]),
    };
  },
  request: ({ vps, snapshot }) => ({ params: { vps_name: vps, name: snapshot } }),
  readProgress: ({ read }, { vps }) => readVpsProgress(read, vps),
  outcome: (data, { vps, snapshot }) => ({
    title: `${vps} is being restored from ${snapshot}`,
    ...formatResult(data, { omit: ['vps_name', 'name'] }),
    next: [
      { label: 'Show VPS', operation: 'show', input: { vps } },
      { label: 'List Snapshots', operation: 'snapshot list', input: { vps } },
    ],
  }),
});
