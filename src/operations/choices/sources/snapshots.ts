import { listSnapshots } from '../../../hosting/endpoints/snapshots.ts';
import { readSnapshots } from '../../../hosting/payloads/snapshots.ts';
import type { ChoiceSource } from '../../define/arguments/choice-source.ts';

/** A fixed format, because a select can't show times in the reader's time zone. */
const takenFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  timeZoneName: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** Offers the snapshots of the chosen VPS. */
export const snapshotChoices: ChoiceSource = {
  name: 'snapshots',
  noun: 'a snapshot',
  dependsOn: 'vps',
  listStep: ({ vps }) => ({
    label: 'List Snapshots',
    operation: 'snapshot list',
    input: { vps: String(vps) },
  }),
  formatNotFound: (name, { vps }) => `${name} isn't in the service's list of snapshots for ${vps}.`,
  async load(read, { vps }, maxAgeMs) {
    const data = await read(listSnapshots, { params: { vps_name: String(vps) } }, { maxAgeMs });
    const { snapshots: all, hasMore } = readSnapshots(data, String(vps));
    const choices = all.map(({ name, state, createdAtMs }) => ({
      value: name,
      text: name,
      ...(state !== undefined && { state }),
      ...(createdAtMs !== undefined && { hint: `Taken ${takenFormat.format(createdAtMs)}` }),
    }));
    return { choices, isComplete: choices.length > 0 && !hasMore };
  },
};
