import { RackhandError } from '../../../errors.ts';
import { vpsArgument } from '../../../operations/choices/sources/vps.ts';
import { loadVpsLabels } from '../../../operations/choices/sources/vps-labels.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';
import { optionalArgument } from '../../../operations/define/arguments/optional-argument.ts';
import { defineLocal } from '../../../operations/define/define-operation.ts';
import type { Operation } from '../../../operations/define/operation.ts';
import type { Fact, Outcome } from '../../../operations/define/outcome.ts';
import { labelOutcome } from '../../../operations/format/label-vps.ts';
import { durationSchema } from '../../../operations/grammar/duration.ts';
import { dayMs } from '../../../time/units.ts';
import { muteStep } from '../vps-steps.ts';
import type { Mute, MuteStore } from './mute-store.ts';

interface MuteOperationDependencies {
  readonly store: MuteStore;
  /** Tells the channels of the watches that cover a VPS. */
  readonly tellWatchChannels: (teamId: string, vps: string, outcome: Outcome) => Promise<void>;
  readonly now: () => number;
}

/**
 * Shortest and longest mute. For a VPS that should be muted for longer, other thresholds are
 * better.
 */
const minMuteMs = 5 * 60_000;
const maxMuteMs = 30 * dayMs;

/** How many VPS get their own Unmute button. */
const maxUnmuteButtons = 10;

/** Declares the operations that mute VPS in reports and watches. */
export function createMuteOperations({
  store,
  tellWatchChannels,
  now,
}: MuteOperationDependencies): readonly Operation[] {
  return [
    defineLocal({
      name: 'mute',
      heading: 'Mute a VPS',
      summary: 'Keep a VPS out of report highlights and watch alerts for a while',
      arguments: {
        vps: vpsArgument(),
        for: optionalArgument(
          { label: 'For', example: '4h', flag: 'for', hint: 'Such as 30m, 4h or 7d. Default: a day.' },
          durationSchema(minMuteMs, maxMuteMs),
        ),
      },
      button: 'Mute',
      right: 'operate',
      target: ({ vps }) => vps,
      async run({ actor }, { vps, for: lengthMs = dayMs }) {
        const untilMs = now() + lengthMs;
        await store.mute(actor, vps, untilMs);
        const muted = {
          title: `${vps} is muted`,
          facts: [{ label: 'Until', value: { kind: 'time', timeMs: untilMs } }],
          notes: ["Reports still list it, but don't highlight it, and watches don't alert on it."],
          next: [{ label: 'Unmute', operation: 'unmute', input: { vps } }],
        } satisfies Outcome;
        await tellWatchChannels(actor.teamId, vps, { ...muted, facts: [...muted.facts, byFact(actor)] });
        return muted;
      },
    }),

    defineLocal({
      name: 'unmute',
      heading: 'Unmute a VPS',
      summary: 'Include a VPS in report highlights and watch alerts again',
      arguments: { vps: vpsArgument() },
      button: 'Unmute',
      right: 'operate',
      target: ({ vps }) => vps,
      async run({ actor }, { vps }) {
        if (!(await store.unmute(actor.teamId, vps, now())))
          throw new RackhandError('input_invalid', `${vps} isn't muted.`);
        const title = `${vps} is no longer muted`;
        await tellWatchChannels(actor.teamId, vps, { title, facts: [byFact(actor)] });
        return { title, next: [muteStep(vps)] };
      },
    }),

    defineLocal({
      name: 'mutes',
      heading: 'Muted VPS',
      summary: 'List the muted VPS',
      arguments: {},
      button: 'Show',
      right: 'view',
      async run(context) {
        const muted = await store.list(context.actor.teamId, now());
        return labelOutcome(formatMutes(muted), muted.length > 0 ? await loadVpsLabels(context) : new Map());
      },
    }),
  ];
}

function byFact({ userId }: Actor): Fact {
  return { label: 'By', value: { kind: 'person', person: userId } };
}

function formatMutes(muted: readonly Mute[]): Outcome {
  if (muted.length === 0) return { title: 'No VPS are muted' };
  return {
    title: muted.length === 1 ? 'One VPS is muted' : `${muted.length} VPS are muted`,
    table: {
      columns: ['VPS', 'Until', 'By'],
      rows: muted.map(({ vps, untilMs, byUserId }) => [
        vps,
        { kind: 'time', timeMs: untilMs },
        { kind: 'person', person: byUserId },
      ]),
    },
    next: muted
      .slice(0, maxUnmuteButtons)
      .filter(({ vps }) => vps.length <= 20)
      .map(({ vps }) => ({ label: `Unmute ${vps}`, operation: 'unmute', input: { vps } })),
  };
}
