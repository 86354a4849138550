import { z } from 'zod';
import { formatPatterns, formatPatternsShort, isVpsNamePattern, splitList } from '../../auth/vps-pattern.ts';
import type { Database } from '../../db/engines/database.ts';
import { RackhandError } from '../../errors.ts';
import { createStoredEntitySource } from '../../operations/choices/sources/stored-entities.ts';
import { vpsArgument } from '../../operations/choices/sources/vps.ts';
import { DeniedError } from '../../operations/define/access/access.ts';
import { channelArgument, textArgument } from '../../operations/define/arguments/argument.ts';
import { optionalArgument } from '../../operations/define/arguments/optional-argument.ts';
import type { RawInput } from '../../operations/define/arguments/raw-input.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../operations/define/operation.ts';
import type { Fact, NextStep, Outcome } from '../../operations/define/outcome.ts';
import { durationSchema } from '../../operations/grammar/duration.ts';
import {
  createEditArguments,
  describeTakenName,
  type EditArgumentsOf,
  invalidPlanError,
  planArgument,
  planNameSchema,
  uniqueName,
} from '../../plans/plan-arguments.ts';
import { changedFacts, createPlanOperations, requirePlan, updatePlan } from '../../plans/plan-operations.ts';
import { listStep, planSteps, toStatusText } from '../../plans/plan-words.ts';
import { formatWhen } from '../../time/format-when.ts';
import { toWhenText } from '../../time/parse-when.ts';
import { currentPeriod, maxPeriodMs, minPeriodMs, nextPeriod, type Period } from '../../time/periods.ts';
import { dayMs } from '../../time/units.ts';
import {
  type ChannelRef,
  type PostResult,
  requirePostable,
  type TellChannels,
} from '../shared/channel-publisher.ts';
import { pauseFacts } from '../shared/pauses/pauses.ts';
import { selectVps } from '../shared/plan-target.ts';
import { vpsSelectionSchema } from '../shared/vps-selection.ts';
import { readWhen, whenArgument, whenPreview, zoneArgument } from '../shared/when-arguments.ts';
import { formatPlanned } from './announcements.ts';
import {
  findCurrent,
  findNext,
  type Maintenance,
  type MaintenancePlan,
  type MaintenanceStore,
} from './maintenance-store.ts';

interface MaintenanceOperationsDependencies {
  readonly store: MaintenanceStore;
  readonly announce: (channelRef: ChannelRef, outcome: Outcome) => Promise<PostResult>;
  readonly tellChannels: TellChannels;
  /** Lists the channels of watches that cover any of the VPS. */
  readonly listWatchChannels: (teamId: string, vps: string) => Promise<readonly string[]>;
  readonly now: () => number;
}

const addArguments = {
  vps: {
    ...textArgument(
      {
        label: 'VPS',
        example: 'web-*',
        valueName: 'patterns',
        hint: 'Names or patterns with *, separated by commas. Use * for all.',
      },
      z.string({ error: 'Name a VPS or a pattern, or use * for all' }).pipe(vpsSelectionSchema),
    ),
  },
  when: whenArgument('period'),
  zone: zoneArgument,
  channel: channelArgument({
    label: 'Channel',
    example: '#ops',
    flag: 'channel',
    hint: 'Where to announce the maintenance. Default: the current channel.',
  }),
  name: optionalArgument(
    {
      label: 'Name',
      example: '"Kernel upgrade"',
      flag: 'name',
      hint: 'Default: the VPS and the time, such as web-*, sat 03:00.',
    },
    planNameSchema('maintenance'),
  ),
} as const;

/** Defines the maintenance operations. `planOperations` are the ones that every plan kind has. */
export function createMaintenanceOperations(dependencies: MaintenanceOperationsDependencies): {
  readonly operations: readonly Operation[];
  readonly planOperations: readonly Operation[];
} {
  const { store, announce, tellChannels, listWatchChannels, now } = dependencies;
  const windows = createStoredEntitySource<Maintenance>({
    name: 'maintenance windows',
    noun: 'a maintenance window',
    list: store.list,
    listNames: store.listNames,
    formatHint: ({ timing, state }) => (state.kind === 'paused' ? 'paused' : formatWhen(timing)),
  });
  const nameArgument = planArgument('maintenance', 'Kernel upgrade', windows);

  /**
   * Throws unless the actor can change the window. To change a mute of specific VPS, rights on those VPS are enough.
   */
  async function authorize({ channel, vps }: MaintenancePlan, context: OperationContext): Promise<void> {
    const names = splitList(vps);
    const isMute = channel === null && names.every((name) => isVpsNamePattern(name) && !name.includes('*'));
    const denial = (await context.loadAccess())({ right: 'operate', vps: isMute ? names : [] });
    if (denial) throw new DeniedError(denial);
  }

  /**
   * Prepares a function that announces an edit in the affected channels. The function does nothing for
   * mutes, or if no occurrence is under way.
   */
  async function prepareTelling(
    { teamId, occurrence }: Maintenance,
    { channel, vps, name }: MaintenancePlan,
    changes: readonly Fact[],
    userId: string,
  ) {
    const isTold = occurrence !== null && channel !== null;
    const channels = isTold ? [channel, ...(await listWatchChannels(teamId, vps))] : [];
    const facts: readonly Fact[] = [...changes, { label: 'By', value: { kind: 'person', person: userId } }];
    return (edited: Maintenance, transaction: Database) => {
      const told = { title: `Maintenance "${name}" was changed`, facts, next: endSteps(edited, now()) };
      return tellChannels(teamId, channels, told, transaction);
    };
  }

  const operations = [
    defineLocal({
      name: 'maintenance',
      heading: 'Plan maintenance',
      summary: 'Mute some VPS for a while, once or repeatedly, such as maintenance web-* sat 02:00-04:00',
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
        preview: whenPreview(now, true),
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
        if (!channel) throw new RackhandError('input_invalid', 'Choose a channel for the announcement.');
        const { selected, problem, labelVps } = await selectVps(context, vps);
        if (problem !== undefined) throw new RackhandError('input_invalid', `${problem}.`);
        const taken = await store.listTakenNames(actor.teamId);
        const name = given.name ?? uniqueName(`${formatPatternsShort(vps)}, ${when}`.slice(0, 50), taken);
        const running = currentPeriod(timing, now());
        // If the window has already begun, the job announces the start, including in the channels of affected watches.
        const planned = { vps, timing, createdBy: actor.userId };
        const isTold =
          running !== undefined ||
          requirePostable(
            await announce(
              { teamId: actor.teamId, channel },
              formatPlanned(planned, selected.length, labelVps),
            ),
          );
        const window = await store.add(actor, { name, channel, vps, timing }, now());
        return {
          title: `Maintenance "${name}" ${running ? 'has begun' : 'is planned'}`,
          facts: running || !isTold ? occurrenceFacts(window, now()) : [],
          notes: isTold
            ? []
            : ["Rackhand couldn't announce the plan in the channel. It will announce the start."],
          next: [...windowSteps(window, now()), listStep('maintenance')],
        };
      },
    }),

    defineLocal({
      name: 'mute',
      heading: 'Mute a VPS',
      summary: "Mute a VPS: start maintenance that isn't announced",
      arguments: {
        vps: vpsArgument(),
        for: optionalArgument(
          { label: 'For', example: '4h', flag: 'for', hint: 'Such as 30m, 4h or 7d. Default: a day.' },
          durationSchema(minPeriodMs, maxPeriodMs),
        ),
      },
      customSyntax: { usage: 'VPS [for TIME]', parse: parseMuteText },
      button: 'Mute',
      right: 'operate',
      target: ({ vps }) => vps,
      async run({ actor }, { vps, for: lengthMs = dayMs }) {
        const existing = await store.list(actor.teamId);
        // Muting a VPS again replaces its earlier mute.
        const earlier = existing.filter((window) => window.channel === null && window.vps === vps);
        for (const window of earlier) await store.delete(window, { byUserId: actor.userId }, now());
        const name = uniqueName(`Mute ${vps}`, await store.listTakenNames(actor.teamId));
        const timing = { kind: 'once', atMs: now(), zone: 'UTC', ends: { afterMs: lengthMs } } as const;
        await store.add(actor, { name, channel: null, vps, timing }, now());
        return {
          title: `${vps} is muted`,
          facts: [{ label: 'Until', value: { kind: 'time', timeMs: now() + lengthMs } }],
          notes: [
            "Reports still list this VPS, but don't highlight it. Watches don't alert on it. An alert that is already open says until when the VPS is muted.",
          ],
          next: [{ label: 'Unmute', operation: 'maintenance end', input: { name } }, listStep('maintenance')],
        };
      },
    }),

    defineLocal({
      name: 'maintenance end',
      heading: 'End maintenance',
      summary: 'End a maintenance window that has begun; a recurring one begins again at its next time',
      arguments: { name: nameArgument },
      right: 'operate',
      isAnyVpsEnough: true,
      button: 'End Now',
      target: ({ name }) => name,
      async run(context, { name }) {
        const { teamId, userId } = context.actor;
        const window = await updatePlan(
          'maintenance',
          name,
          () => requirePlan('maintenance', store, teamId, name),
          async (present) => {
            await authorize(present, context);
            const running = findCurrent(present, now());
            if (!running)
              throw new RackhandError(
                'input_invalid',
                `Maintenance "${name}" hasn't begun. To remove it, use maintenance delete.`,
              );
            return store.endOccurrence(present, now(), userId);
          },
        );
        const next = nextPeriod(window.timing, now());
        return {
          title: `Maintenance "${name}" has ended`,
          facts: next ? [{ label: 'Begins again', value: { kind: 'time', timeMs: next.fromMs } }] : [],
          notes: [
            window.channel === null
              ? 'Watches and reports cover the VPS again, unless another maintenance window mutes it.'
              : 'Watches and reports cover these VPS again, unless another maintenance window mutes them. A message in the channels says what is still wrong.',
          ],
          next: [...(next ? planSteps('maintenance', window) : []), listStep('maintenance')],
        };
      },
    }),
  ];

  const planOperations = createPlanOperations<
    Maintenance,
    EditArgumentsOf<typeof addArguments>,
    MaintenancePlan
  >({
    kind: 'maintenance',
    store,
    nameArgument,
    rights: { view: 'view', change: 'operate', isAnyVpsEnough: true },
    authorize,
    now,
    firstSteps: (window) => endSteps(window, now()),
    list: {
      columns: ['VPS', 'Now', 'Begins', 'Ends', 'When'],
      async format() {
        const nowMs = now();
        return (window) => {
          const running = findCurrent(window, nowMs);
          const { kind: status } = window.state;
          const next = running ?? (status === 'active' ? findNext(window, nowMs) : undefined);
          return {
            cells: [
              formatPatterns(window.vps),
              formatNow(status, running, next),
              next ? { kind: 'time', timeMs: next.fromMs } : '–',
              next ? { kind: 'time', timeMs: next.untilMs } : '–',
              formatWhen(window.timing),
            ],
          };
        };
      },
      titleEnd(windows) {
        const current = windows.filter((window) => findCurrent(window, now())).length;
        return current > 0 ? `, ${current} now` : '';
      },
    },
    show: async (window) => ({
      facts: [
        ...(window.state.kind === 'paused'
          ? pauseFacts(window, 'maintenance window')
          : occurrenceFacts(window, now())),
        ...planFacts(window).slice(1),
        { label: 'Planned by', value: { kind: 'person', person: window.createdBy } },
      ],
    }),
    afterResume: async (window) => occurrenceFacts(window, now()),
    toPlanInput,
    edit: {
      summary: 'Change which VPS a maintenance window covers, its times, channel or name',
      arguments: createEditArguments(nameArgument, addArguments, { vps: 'vps', when: 'when' }),
      preview: whenPreview(now, true, async ({ actor }, { name }) =>
        typeof name === 'string' ? (await store.find(actor.teamId, name))?.timing : undefined,
      ),
      async makePlan(context, changes, window) {
        const vps = changes.vps ?? window.vps;
        const when = changes.when ?? toWhenText(window.timing);
        const zone = changes.zone === null ? undefined : (changes.zone ?? window.timing.zone);
        const options = { nowMs: now(), isPeriod: true, kept: window.timing };
        const read = await readWhen(context, { when, zone }, options);
        if (read.kind === 'invalid') return read;
        const { problem } = await selectVps(context, vps);
        if (problem !== undefined) return { kind: 'invalid', problems: [{ path: 'vps', message: problem }] };
        const name = changes.rename ?? window.name;
        const taken = await store.listTakenNames(window.teamId);
        const holder = taken.find((other) => other.name === name && other.id !== window.id);
        if (holder)
          return { kind: 'invalid', problems: [{ path: 'name', message: describeTakenName(holder) }] };
        const channel = changes.channel || window.channel;
        return { kind: 'valid', planned: { name, channel, vps, timing: read.when } };
      },
      async save(window, plan, context) {
        // The rights on the window's previous VPS were already checked.
        await authorize(plan, context);
        const changes = changedFacts(planFacts(window), planFacts(plan));
        const { userId } = context.actor;
        const tellChange = await prepareTelling(window, plan, changes, userId);
        const changed =
          changes.length === 0 ? window : await store.edit(window, plan, now(), userId, tellChange);
        if (!changed) return undefined;
        const { name } = plan;
        return {
          title: `Maintenance "${name}" ${changes.length > 0 ? 'was changed' : 'is unchanged'}`,
          facts: changes,
          next: [...windowSteps(changed, now()), listStep('maintenance')],
        };
      },
    },
  });

  return { operations, planOperations };
}

function occurrenceFacts(window: Maintenance, nowMs: number): readonly Fact[] {
  const running = findCurrent(window, nowMs);
  const next = running ?? findNext(window, nowMs);
  return next
    ? [
        { label: running ? 'Began' : 'Begins', value: { kind: 'time', timeMs: next.fromMs } },
        { label: 'Ends', value: { kind: 'time', timeMs: next.untilMs } },
      ]
    : [];
}

/** Returns the input that would recreate the window. */
function toPlanInput({ name, channel, vps, timing }: Maintenance): RawInput {
  return { vps, when: toWhenText(timing), zone: timing.zone, ...(channel !== null && { channel }), name };
}

function planFacts({ name, channel, vps, timing }: MaintenancePlan): readonly Fact[] {
  return [
    { label: 'Name', value: name },
    { label: 'VPS', value: formatPatterns(vps) },
    { label: 'When', value: formatWhen(timing) },
    channelFact(channel),
  ];
}

function channelFact(channel: string | null): Fact {
  return { label: 'Channel', value: channel === null ? 'its alerts' : { kind: 'channel', channel } };
}

function endSteps(window: Maintenance, nowMs: number): readonly NextStep[] {
  return findCurrent(window, nowMs)
    ? [{ label: 'End Now', operation: 'maintenance end', input: { name: window.name } }]
    : [];
}

function windowSteps(window: Maintenance, nowMs: number): readonly NextStep[] {
  return [...endSteps(window, nowMs), ...planSteps('maintenance', window)];
}

/** Returns `skipped` for a one-time window whose only occurrence was skipped. */
function formatNow(
  status: Maintenance['state']['kind'],
  running: Period | undefined,
  next: Period | undefined,
): string {
  if (running) return '🔧 in maintenance';
  if (status !== 'active') return toStatusText(status);
  return next ? '–' : 'skipped';
}

/** Parses a typed mute, such as `web-01 4h` or `web-01 for 4h`. */
function parseMuteText(typed: string): RawInput {
  const [, vps = '', length] = /^(.*?)(?:\s+for)?\s+(\d+\s*[a-z]+)$/i.exec(typed) ?? [undefined, typed];
  return { ...(vps !== '' && { vps }), ...(length !== undefined && { for: length }) };
}
