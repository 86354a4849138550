import { listSnapshots } from '../../hosting/endpoints/snapshots.ts';
import { readSnapshots } from '../../hosting/readings/snapshots.ts';
import type { Source } from './source.ts';

/** The snapshots of the chosen VPS. */
export const snapshots: Source = {
  name: 'snapshots',
  noun: 'a snapshot',
  dependsOn: 'vps',
  unknown: (name, { vps }) => `${vps} has no snapshot called ${name}.`,
  async load(read, { vps }, maxAgeMs) {
    const data = await read(listSnapshots, { params: { vps_name: String(vps) } }, { maxAgeMs });
    const { snapshots: all, mayHaveMore } = readSnapshots(data);
    const choices = all.map(({ name, state, createdMs }) => ({
      value: name,
      text: name,
      ...(state !== undefined && { state }),
      ...(createdMs !== undefined && { hint: `Taken ${new Date(createdMs).toISOString()}` }),
    }));
    return { choices, isComplete: choices.length > 0 && !mayHaveMore };
  },
};
