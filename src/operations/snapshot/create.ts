import { z } from 'zod';
import { createSnapshot } from '../../hosting/endpoints/snapshots.ts';
import { textArgument, vpsArgument } from '../argument.ts';
import { readFacts } from '../facts.ts';
import { defineChange } from '../operation.ts';

/** The API document shows no length limit; this one keeps a name readable. */
const mostNameChars = 100;

const snapshotName = z
  .string({ error: 'Give the snapshot a name' })
  .trim()
  .min(1, { error: 'Give the snapshot a name' })
  .max(mostNameChars, { error: `A name has at most ${mostNameChars} characters` })
  .regex(/^\P{Cc}*$/u, { error: 'A name is one line of text' });

export const create = defineChange({
  name: 'snapshot create',
  heading: 'Take a snapshot',
  summary: 'Take a snapshot of a VPS',
  arguments: {
    vps: vpsArgument(),
    name: textArgument(
      { label: 'Name', example: 'before-upgrade', hint: 'What you will look for when you restore it.' },
      snapshotName,
    ),
  },
  change: createSnapshot,
  button: 'Take Snapshot',
  title: ({ vps, name }) => `Take snapshot ${name} of ${vps}`,
  target: ({ vps }) => vps,
  request: ({ vps, name }) => ({ params: { vps_name: vps }, body: { name } }),
  outcome: (data, { vps, name }) => ({
    title: `Snapshot ${name} of ${vps} is taken`,
    facts: readFacts(data, { without: ['vps_name'] }),
    next: [{ label: 'Show VPS', operation: 'show', input: { vps } }],
  }),
});
