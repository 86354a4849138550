import { z } from 'zod';
import { formatPatterns, formatPatternsShort } from '../../auth/vps-pattern.ts';
import { RackhandError } from '../../errors.ts';
import { createStoredEntitySource } from '../../operations/choices/sources/stored-entities.ts';
import { vpsArgument } from '../../operations/choices/sources/vps.ts';
import { DeniedError } from '../../operations/define/access/access.ts';
import { type Argument, channelArgument, textArgument } from '../../operations/define/arguments/argument.ts';
import { optionalArgument } from '../../operations/define/arguments/optional-argument.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../operations/define/operation.ts';
import type { Fact, NextStep, Outcome } from '../../operations/define/outcome.ts';
import { describeUnreadable } from '../../operations/format/unreadable/unreadable-rows.ts';
import { durationSchema } from '../../operations/grammar/duration.ts';
import { formatWhen } from '../../time/format-when.ts';
import {
  currentPeriod,
  maxPeriodMs,
  minPeriodMs,
  nextPeriod,
  type Period,
  periodsUntil,
} from '../../time/periods.ts';
import { dayMs } from '../../time/units.ts';
import type { When } from '../../time/when.ts';
import type { ChannelRef, PostResult } from '../shared/channel-publisher.ts';
import { invalidPlanError } from '../shared/monitor/plan-problems.ts';
import { selectVps } from '../shared/monitor/plan-target.ts';
import { requirePostable } from '../shared/monitor/post-intro.ts';
import { isVpsSelected, type SelectableVps, vpsSelectionSchema } from '../shared/vps-selection.ts';
import { previewWhen, readWhen, whenArgument, zoneArgument } from '../shared/when-arguments.ts';
import { formatPlanned, formatStart } from './announcements.ts';
import type { MaintenanceJob } from './maintenance-job.ts';
import { findCurrent, type Maintenance, type MaintenanceStore } from './maintenance-store.ts';

interface MaintenanceOperationsDependencies {
  readonly store: MaintenanceStore;
  readonly job: MaintenanceJob;
  readonly announce: (channelRef: ChannelRef, outcome: Outcome) => Promise<PostResult>;
  readonly now: () => number;
}

const maxNameChars = 60;

const nameSchema = z
  .string()
  .trim()
  .transform((name) => name.replace(/\s+/g, ' '))
  .pipe(z.string().max(maxNameChars, { error: `Use at most ${maxNameChars} characters` }));

const addArguments = {
  vps: {
    ...textArgument(
      {
        label: 'VPS',
        example: 'web-*',
        valueName: 'patterns',
        hint: 'Names or patterns with *, separated by commas. Use * for all.',
      },
      z.string({ error: 'Name VPS or a pattern, or * for all' }).pipe(vpsSelectionSchema),
    ),
  },
  when: whenArgument('period'),
  zone: zoneArgument,
  channel: channelArgument({
    label: 'Channel',
    example: '#ops',
    flag: 'channel',
    hint: 'Where to announce it. Default: the current channel.',
  }),
  name: optionalArgument(
    { label: 'Name', example: '"Kernel upgrade"', flag: 'name', hint: 'The name of the window.' },
    nameSchema,
  ),
} as const;

/** Declares the operations that plan, list and end maintenance windows. */
export function createMaintenanceOperations(
  dependencies: MaintenanceOperationsDependencies,
): readonly Operation[] {
  const { store, job, announce, now } = dependencies;
  const nameArgument: Argument<string> = {
    label: 'Window',
    example: '"Kernel upgrade"',
    valueName: 'name',
    takesRemainingWords: true,
    required: true,
    schema: nameSchema,
    control: {
      kind: 'remote',
      source: createStoredEntitySource({
        name: 'maintenance windows',
        noun: 'a maintenance window',
        list: store.list,
        listNames: store.listNames,
        formatHint: ({ timing }) => formatWhen(timing),
      }),
    },
  };

  async function requireWindow(
    { actor }: Pick<OperationContext, 'actor'>,
    name: string,
  ): Promise<Maintenance> {
    const window = await store.findByName(actor.teamId, name);
    if (window) return window;
    throw new RackhandError('input_invalid', `There's no maintenance window named "${name}" here.`);
  }

  /** Returns a window for the actor to change. One that mutes a VPS needs the right only on that VPS. */
  async function requireManageable(context: OperationContext, name: string): Promise<Maintenance> {
    const window = await requireWindow(context, name);
    const vps = window.channel === null ? [window.vps] : [];
    const denial = (await context.loadAccess())({ right: 'operate', vps });
    if (denial) throw new DeniedError(denial);
    return window;
  }

  // `requireManageable` checks the right to operate the window's VPS.
  const shared = {
    arguments: { name: nameArgument },
    right: 'operate',
    isAnyVpsEnough: true,
  } as const;

  return [
    defineLocal({
      name: 'maintenance',
      heading: 'Plan maintenance',
      summary: 'Silence watches and reports about VPS for a time, such as maintenance web-* sat 02:00-04:00',
      arguments: addArguments,
      button: 'Plan',
      right: 'operate',
      isAccountWide: true,
      target: ({ vps, when }) => `${vps}, ${when}`,
      form: {
        prefill: async ({ origin: { channel = '' } }, given) => ({
          ...(/^[CG]/.test(channel) && { channel }),
          ...given,
        }),
        preview: {
          dependsOn: ['when', 'zone'],
          build: (context, given) => previewWhen(context, given, { nowMs: now(), isPeriod: true }),
        },
      },
      async validate(context, { when, zone }) {
        const read = await readWhen(context, { when, zone }, { nowMs: now(), isPeriod: true });
        return read.kind === 'invalid' ? read.problems : [];
      },
      async run(context, { vps, when, zone, ...given }) {
        const { actor, origin } = context;
        const read = await readWhen(context, { when, zone }, { nowMs: now(), isPeriod: true });
        if (read.kind === 'invalid') throw invalidPlanError(read.problems);
        const timing = read.when;
        const channel = given.channel || origin.channel;
        if (!channel) throw new RackhandError('input_invalid', 'Choose the channel to announce it in.');
        const { selected, problem, labelVps } = await selectVps(context, vps);
        if (problem !== undefined) throw new RackhandError('input_invalid', `${problem}.`);
        const existing = await store.list(actor.teamId);
        const name = given.name ?? freeName(`${formatPatternsShort(vps)}, ${when}`.slice(0, 50), existing);
        const running = currentPeriod(timing, now());
        const planned = { name, vps, timing, createdBy: actor.userId };
        const intro = running
          ? formatStart(planned, running, labelVps, selected.length)
          : formatPlanned(planned, selected.length, labelVps);
        const isTold = requirePostable(await announce({ teamId: actor.teamId, channel }, intro));
        const window = await store.add(actor, { name, channel, vps, timing }, now());
        if (!window)
          throw new RackhandError(
            'input_invalid',
            `There is already a maintenance window named "${name}". Choose another name.`,
          );
        // The job tells the channels of the watches concerned, and this one if Slack limits the rate now.
        await job.schedule(window, running && isTold ? [channel] : []);
        return {
          title: `Maintenance "${name}" ${running ? 'has begun' : 'is planned'}`,
          facts: [
            { label: 'VPS', value: `${labelVps(formatPatterns(vps))} (${selected.length} now)` },
            { label: 'When', value: formatWhen(timing) },
            ...occurrenceFacts(timing, running, now()),
            { label: 'Channel', value: { kind: 'channel', channel } },
          ],
          notes: [
            ...(isTold || running
              ? []
              : ["Rackhand couldn't announce the plan in the channel. It will announce the start."]),
            ...overlapNotes(window, existing, selected, now()),
            'Alerts that are open stay open. The channels of watches on these VPS are told when it begins and ends, and what is still wrong then.',
          ],
          next: [...manageSteps(name, running !== undefined), listStep],
        };
      },
    }),

    createListMaintenanceOperation({ store, now }),

    defineLocal({
      name: 'mute',
      heading: 'Mute a VPS',
      summary: 'Start maintenance of a VPS that only its alerts mention',
      arguments: {
        vps: vpsArgument(),
        for: optionalArgument(
          { label: 'For', example: '4h', flag: 'for', hint: 'Such as 30m, 4h or 7d. Default: a day.' },
          durationSchema(minPeriodMs, maxPeriodMs),
        ),
      },
      button: 'Mute',
      right: 'operate',
      target: ({ vps }) => vps,
      async run({ actor }, { vps, for: lengthMs = dayMs }) {
        const existing = await store.list(actor.teamId);
        // Muting a VPS again replaces the earlier end.
        const earlier = existing.filter((window) => window.channel === null && window.vps === vps);
        for (const window of earlier) {
          await store.delete(window.id);
          await job.cancel(window);
        }
        const name = freeName(
          `Mute ${vps}`,
          existing.filter((window) => !earlier.includes(window)),
        );
        const timing = { kind: 'once', atMs: now(), zone: 'UTC', ends: { afterMs: lengthMs } } as const;
        const window = await store.add(actor, { name, channel: null, vps, timing }, now());
        if (!window) throw new RackhandError('input_invalid', `${vps} was just muted by someone else.`);
        await job.schedule(window);
        return {
          title: `${vps} is muted`,
          facts: [{ label: 'Until', value: { kind: 'time', timeMs: now() + lengthMs } }],
          notes: [
            "Reports still list it, but don't highlight it, and watches don't alert on it. Its alerts say that it is muted.",
          ],
          next: [{ label: 'Unmute', operation: 'maintenance end', input: { name } }, listStep],
        };
      },
    }),

    defineLocal({
      name: 'maintenance end',
      heading: 'End maintenance',
      summary: 'End a maintenance window that has begun. A recurring window begins again at its next time',
      ...shared,
      button: 'End Now',
      target: ({ name }) => name,
      async run(context, { name }) {
        const window = await requireManageable(context, name);
        const running = findCurrent(window, now());
        if (!running)
          throw new RackhandError(
            'input_invalid',
            `Maintenance "${name}" hasn't begun. To remove it, use maintenance delete.`,
          );
        await job.endNow(window, running, context.actor.userId);
        const next = nextPeriod(window.timing, now());
        return {
          title: `Maintenance "${name}" has ended`,
          facts: next ? [{ label: 'Begins again', value: { kind: 'time', timeMs: next.fromMs } }] : [],
          notes: [
            window.channel === null
              ? 'Watches and reports cover it again.'
              : 'Watches and reports cover these VPS again. The channels are told what is still wrong.',
          ],
          next: [...(next ? manageSteps(name, false) : []), listStep],
        };
      },
    }),

    defineLocal({
      name: 'maintenance delete',
      heading: 'Delete a window',
      summary: 'Delete a maintenance window. If it has begun, it ends',
      ...shared,
      button: 'Delete',
      target: ({ name }) => name,
      async run(context, { name }) {
        const window = await requireManageable(context, name);
        const running = findCurrent(window, now());
        await store.delete(window.id);
        await job.cancel(window);
        if (running) await job.announceDeletion(window, running, context.actor.userId);
        return {
          title: `Maintenance "${name}" was deleted`,
          notes: running ? ['It had begun. Watches and reports cover its VPS again.'] : [],
          next: [listStep],
        };
      },
    }),
  ];
}

function occurrenceFacts(timing: When, running: Period | undefined, nowMs: number): readonly Fact[] {
  const next = running ?? nextPeriod(timing, nowMs);
  return next
    ? [
        { label: running ? 'Began' : 'Begins', value: { kind: 'time', timeMs: next.fromMs } },
        { label: 'Ends', value: { kind: 'time', timeMs: next.untilMs } },
      ]
    : [];
}

/** How far ahead overlaps are searched for. */
const overlapMs = 8 * dayMs;

/**
 * Returns notes that name the windows which overlap with a new one within a week and share VPS with
 * it.
 */
function overlapNotes(
  { timing }: Maintenance,
  existing: readonly Maintenance[],
  selected: readonly SelectableVps[],
  nowMs: number,
): readonly string[] {
  const occurrences = periodsUntil(timing, nowMs, nowMs + overlapMs);
  const names = existing
    .filter(({ vps }) => selected.some((one) => isVpsSelected(vps, one)))
    .filter((other) =>
      periodsUntil(other.timing, nowMs, nowMs + overlapMs).some(({ fromMs, untilMs }) =>
        occurrences.some((one) => fromMs < one.untilMs && one.fromMs < untilMs),
      ),
    )
    .map(({ name }) => `"${name}"`);
  return names.length === 0
    ? []
    : [`This overlaps with ${names.join(', ')}. The VPS in both stay silent until the later end.`];
}

function freeName(first: string, taken: readonly { readonly name: string }[]): string {
  for (let suffix = 1; ; suffix += 1) {
    const name = suffix === 1 ? first : `${first} (${suffix})`;
    if (taken.every((one) => one.name !== name)) return name;
  }
}

interface ListMaintenanceDependencies {
  readonly store: Pick<MaintenanceStore, 'list' | 'listNames'>;
  readonly now: () => number;
}

const listStep: NextStep = { label: 'Maintenance', operation: 'maintenance list', input: {} };

const addStep: NextStep = { label: 'Plan Maintenance', operation: 'maintenance', input: {}, opensForm: true };

/** Returns the buttons that end and delete a window. */
function manageSteps(name: string, isRunning: boolean): readonly NextStep[] {
  return [
    ...(isRunning ? [{ label: 'End Now', operation: 'maintenance end', input: { name } }] : []),
    { label: 'Delete', operation: 'maintenance delete', input: { name } },
  ];
}

function createListMaintenanceOperation({ store, now }: ListMaintenanceDependencies): Operation {
  return defineLocal({
    name: 'maintenance list',
    heading: 'Maintenance windows',
    summary: 'List the maintenance windows and what is in maintenance now',
    arguments: {},
    button: 'Show',
    right: 'view',
    async run({ actor: { teamId } }) {
      const [windows, names] = await Promise.all([store.list(teamId), store.listNames(teamId)]);
      const unreadable = describeUnreadable({
        names,
        readable: windows,
        one: 'maintenance window',
        many: 'maintenance windows',
      });
      const nowMs = now();
      const [only] = windows;
      if (!only)
        return {
          title: unreadable.title ?? 'No maintenance is planned',
          notes: unreadable.notes,
          next: [addStep],
        };
      const current = windows.filter((window) => findCurrent(window, nowMs)).length;
      return {
        title: `${windows.length === 1 ? 'One maintenance window' : `${windows.length} maintenance windows`}${current > 0 ? `, ${current} now` : ''}`,
        table: {
          columns: ['Window', 'VPS', 'Now', 'Begins', 'Ends', 'When', 'Channel'],
          rows: windows.map((window) => {
            const running = findCurrent(window, nowMs);
            const next = running ?? nextPeriod(window.timing, nowMs);
            return [
              window.name,
              formatPatterns(window.vps),
              running ? '🔧 in maintenance' : '–',
              next ? { kind: 'time', timeMs: next.fromMs } : '–',
              next ? { kind: 'time', timeMs: next.untilMs } : '–',
              formatWhen(window.timing),
              window.channel === null ? 'its alerts' : { kind: 'channel', channel: window.channel },
            ];
          }),
        },
        notes: unreadable.notes,
        next: [
          ...(windows.length === 1 ? manageSteps(only.name, findCurrent(only, nowMs) !== undefined) : []),
          addStep,
        ],
      };
    },
  });
}
