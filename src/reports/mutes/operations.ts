import { RackhandError } from '../../error.ts';
import { vpsArgument } from '../../operations/argument.ts';
import { durationSchema } from '../../operations/duration.ts';
import { defineOwn, type Operation } from '../../operations/operation.ts';
import type { Outcome } from '../../operations/outcome.ts';
import { optionalArgument } from '../arguments.ts';
import { muteStep } from '../summary/steps.ts';
import type { Mute, MuteStore } from './mute-store.ts';

interface MuteOperationParts {
  readonly store: MuteStore;
  readonly now: () => number;
}

const dayMs = 24 * 60 * 60_000;

/** How long a VPS can be muted; a fleet that is quiet for longer needs other thresholds. */
const leastMs = 5 * 60_000;
const mostMs = 30 * dayMs;

/** VPS that can be unmuted by a button each. */
const mostButtons = 10;

/** Declares the operations that mute VPS in reports and watches. */
export function createMuteOperations({ store, now }: MuteOperationParts): readonly Operation[] {
  return [
    defineOwn({
      name: 'mute',
      heading: 'Mute a VPS',
      summary: 'Keep a VPS out of what stands out in reports and watches for a while',
      arguments: {
        vps: vpsArgument(),
        for: optionalArgument(
          { label: 'For', example: '4h', flag: 'for', hint: 'As in 30m, 4h or 7d. A day unless given.' },
          durationSchema(leastMs, mostMs),
        ),
      },
      button: 'Mute',
      right: 'change',
      target: ({ vps }) => vps,
      async run({ asker }, { vps, for: lengthMs = dayMs }) {
        const untilMs = now() + lengthMs;
        await store.mute(asker, vps, untilMs);
        return {
          title: `${vps} is muted`,
          facts: [{ label: 'Until', value: { timeMs: untilMs } }],
          notes: ['Reports go on to show it in their table; it is not called out, and no watch tells of it.'],
          next: [{ label: 'Unmute', operation: 'unmute', input: { vps } }],
        };
      },
    }),

    defineOwn({
      name: 'unmute',
      heading: 'Unmute a VPS',
      summary: 'Let reports and watches tell of a VPS again',
      arguments: { vps: vpsArgument() },
      button: 'Unmute',
      right: 'change',
      target: ({ vps }) => vps,
      async run({ asker }, { vps }) {
        if (!(await store.unmute(asker.teamId, vps, now())))
          throw new RackhandError('input_invalid', `${vps} is not muted.`);
        return {
          title: `${vps} is not muted any more`,
          next: [muteStep(vps)],
        };
      },
    }),

    defineOwn({
      name: 'mutes',
      heading: 'Muted VPS',
      summary: 'List the VPS that are muted in reports and watches',
      arguments: {},
      button: 'Show',
      right: 'look',
      async run({ asker }) {
        return describeMutes(await store.list(asker.teamId, now()));
      },
    }),
  ];
}

function describeMutes(muted: readonly Mute[]): Outcome {
  if (muted.length === 0) return { title: 'Nothing is muted' };
  return {
    title: muted.length === 1 ? 'One VPS is muted' : `${muted.length} VPS are muted`,
    table: {
      columns: ['VPS', 'Until', 'By'],
      rows: muted.map(({ vps, untilMs, byUserId }) => [vps, { timeMs: untilMs }, { person: byUserId }]),
    },
    next: muted
      .slice(0, mostButtons)
      .filter(({ vps }) => vps.length <= 20)
      .map(({ vps }) => ({ label: `Unmute ${vps}`, operation: 'unmute', input: { vps } })),
  };
}
