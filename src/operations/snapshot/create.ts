import { createSnapshot } from '../../hosting/endpoints/snapshots.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { textArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import type { Fact } from '../define/outcome.ts';
import { formatResult } from '../format/format-result.ts';
import { nameSchema } from '../grammar/name-schema.ts';
import { isTransitional } from '../vps/state-words.ts';
import { readSnapshotProgress } from './progress.ts';

export const snapshotCreate = defineChange({
  name: 'snapshot create',
  heading: 'Take a snapshot',
  summary: 'Take a snapshot of a VPS',
  arguments: {
    vps: vpsArgument(),
    name: textArgument(
      { label: 'Name', example: 'before-upgrade', hint: "The name you'll look for when you restore it." },
      nameSchema('Give the snapshot a name'),
    ),
  },
  endpoint: createSnapshot,
  button: 'Take Snapshot',
  several: { button: 'Snapshot All' },
  title: ({ vps, name }) => `Take snapshot ${name} of ${vps}`,
  target: ({ vps }) => vps,
  request: ({ vps, name }) => ({ params: { vps_name: vps }, body: { name } }),
  outcome(data, { vps, name }) {
    const result = formatResult(data, { omit: ['vps_name'] });
    return {
      title: `Snapshot ${name} of ${vps} is ${result.facts.some(saysInProgress) ? 'being taken' : 'taken'}`,
      ...result,
      next: [
        { label: 'List Snapshots', operation: 'snapshot list', input: { vps } },
        { label: 'Show VPS', operation: 'show', input: { vps } },
      ],
    };
  },
  readProgress: ({ read }, { vps, name }, startedMs) => readSnapshotProgress(read, { vps, name, startedMs }),
});

/** Matches labels such as "Job ID", "Task" or "UPID", which mean that the work continues after the reply. */
const jobLabel = /^(snapshot )?(job|task|operation|action|upid|queue)\b/i;
/** Matches a task ID in a response from Proxmox VE. */
const taskValue = /^UPID:/;

/** Returns whether a fact says that the snapshot is still being taken, or names a job. */
function saysInProgress({ label, value }: Fact): boolean {
  const text = typeof value === 'string' ? value : '';
  const isUnderWay = /^progress\b/i.test(label) && !/^100\b/.test(text);
  if (jobLabel.test(label) || taskValue.test(text) || isUnderWay) return true;
  const words = typeof value === 'object' && value.kind === 'state' ? value.state : value;
  return /\b(state|status)$/i.test(label) && typeof words === 'string' && isTransitional(words);
}
