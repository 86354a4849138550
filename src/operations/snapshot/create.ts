import { createSnapshot } from '../../hosting/endpoints/snapshots.ts';
import { textArgument, vpsArgument } from '../argument.ts';
import { lineOfText } from '../line-of-text.ts';
import { defineChange } from '../operation.ts';
import type { Fact } from '../outcome.ts';
import { tellResult } from '../tell-result.ts';
import { isPassing } from '../vps/follow.ts';

export const create = defineChange({
  name: 'snapshot create',
  heading: 'Take a snapshot',
  summary: 'Take a snapshot of a VPS',
  arguments: {
    vps: vpsArgument(),
    name: textArgument(
      { label: 'Name', example: 'before-upgrade', hint: 'What you will look for when you restore it.' },
      lineOfText('Give the snapshot a name'),
    ),
  },
  change: createSnapshot,
  button: 'Take Snapshot',
  title: ({ vps, name }) => `Take snapshot ${name} of ${vps}`,
  target: ({ vps }) => vps,
  request: ({ vps, name }) => ({ params: { vps_name: vps }, body: { name } }),
  outcome(data, { vps, name }) {
    const told = tellResult(data, { without: ['vps_name'] });
    return {
      title: `Snapshot ${name} of ${vps} is ${told.facts.some(isUnderWay) ? 'being taken' : 'taken'}`,
      ...told,
      next: [
        { label: 'List Snapshots', operation: 'snapshot list', input: { vps } },
        { label: 'Show VPS', operation: 'show', input: { vps } },
      ],
    };
  },
});

/** Tells whether a fact says that the snapshot is not there yet. */
function isUnderWay({ label, value }: Fact): boolean {
  const words = typeof value === 'object' && 'state' in value ? value.state : value;
  return /\b(state|status)$/i.test(label) && typeof words === 'string' && isPassing(words);
}
