import { RackhandError } from '../../errors.ts';
import type { ChannelPublisher } from '../../monitoring/shared/channel-publisher.ts';
import { invalidPlanError } from '../../monitoring/shared/monitor/plan-problems.ts';
import { postIntro } from '../../monitoring/shared/monitor/post-intro.ts';
import { previewWhen } from '../../monitoring/shared/when-arguments.ts';
import type { RawInput } from '../../operations/define/arguments/raw-input.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../operations/define/operation.ts';
import type { Fact, Outcome } from '../../operations/define/outcome.ts';
import { readVpsState } from '../../operations/vps/target-state.ts';
import { formatWhen } from '../../time/format-when.ts';
import { splitWhen } from '../../time/parse-when.ts';
import { nextTimeFacts, planFacts, scheduleSteps } from '../format-schedule.ts';
import type { ScheduleApproval } from '../planning/approval-details.ts';
import type { PlannedSchedule, SchedulePlanner } from '../planning/plan-schedule.ts';
import { toKeepText } from '../retention/keep-rule.ts';
import { findRoomWarning, snapshotsNeeded } from '../retention/snapshot-room.ts';
import type { Schedule, SchedulePlan } from '../schedule.ts';
import type { ScheduleStore } from '../schedule-store.ts';
import { scheduleArguments } from './schedule-arguments.ts';

interface AddScheduleDependencies {
  readonly store: ScheduleStore;
  readonly makePlan: SchedulePlanner;
  readonly publisher: Pick<ChannelPublisher, 'postText'>;
  /** Asks a second person to approve a schedule. Throws if no one could be asked. */
  readonly askForApproval: (schedule: Schedule, approval: ScheduleApproval) => Promise<void>;
  readonly scheduleJob: (schedule: Schedule) => Promise<void>;
  readonly now: () => number;
}

/** How many targets a card shows with their state. Each state takes a call. */
const maxStates = 5;

export function createAddScheduleOperation(dependencies: AddScheduleDependencies): Operation {
  const { store, makePlan, publisher, askForApproval, scheduleJob, now } = dependencies;

  async function add(context: OperationContext, planned: PlannedSchedule): Promise<Outcome> {
    const { actor } = context;
    const { plan, approval } = planned;
    const intro = `Schedule "${plan.name}" reports in this channel: ${plan.act.title}. ${formatWhen(plan.timing)}.`;
    await postIntro(publisher, { teamId: actor.teamId, channel: plan.channel }, intro);
    const schedule = await store.add(actor, plan, approval ? 'approval' : 'active', now());
    if (!schedule)
      throw new RackhandError(
        'input_invalid',
        `There is already a schedule "${plan.name}". Choose another name.`,
      );
    if (approval)
      try {
        await askForApproval(schedule, approval);
      } catch (error) {
        await store.delete(schedule.id);
        throw error;
      }
    await scheduleJob(schedule);
    return {
      title: approval ? `"${plan.name}" waits for approval` : `"${plan.name}" is scheduled`,
      facts: [...planFacts(plan), ...nextTimeFacts(plan.timing, now())],
      notes: approval ? ['Nothing happens until someone else approves it.'] : [],
      next: scheduleSteps(schedule),
    };
  }

  return defineLocal({
    name: 'schedule',
    heading: 'Schedule a change',
    summary: 'Schedule a change, once or repeatedly',
    arguments: scheduleArguments,
    customSyntax: {
      usage: 'COMMAND TIME',
      parse(typed, words = []) {
        const { act, when } = splitQuoted(words) ?? splitWhen(typed);
        return { ...(act !== '' && { act }), ...(when !== '' && { when }) };
      },
    },
    button: 'Schedule',
    // The planner checks the rights that the scheduled change needs on each target.
    right: null,
    isLoggedAsChange: () => true,
    target: ({ name, act }) => name ?? act,
    form: {
      preview: {
        dependsOn: ['when', 'zone'],
        build: (context, given) => previewWhen(context, given, { nowMs: now() }),
      },
    },
    async run(context, input) {
      const planning = await makePlan(context, input);
      if (planning.kind === 'invalid') throw invalidPlanError(planning.problems);
      const { planned } = planning;
      if (!planned.needsConfirmation) return add(context, planned);
      const { digest, typedToConfirm } = planned;
      const isConfirmed =
        typedToConfirm === undefined
          ? input.confirm === digest
          : [typedToConfirm, ...planned.targets.map(({ vps }) => vps)].includes(input.confirm ?? '');
      if (isConfirmed) return add(context, planned);
      return formatCard(planned, {
        hasChanged: input.confirm !== undefined && typedToConfirm === undefined,
        states: await readStates(context, planned),
        roomNotes: await readRoom(context, planned),
        nowMs: now(),
      });
    },
  });
}

/** Splits a quoted command from the time after it. Returns undefined if the first word isn't the whole command. */
function splitQuoted([quoted = '', ...others]: readonly string[]) {
  const when = others.join(' ');
  if (!quoted.includes(' ') || when === '') return undefined;
  const after = splitWhen(`${quotedPlace} ${when}`);
  return after.act === quotedPlace || after.when === '' ? { act: quoted, when } : undefined;
}

const quotedPlace = 'COMMAND';

async function readStates(
  { read }: OperationContext,
  { targets }: PlannedSchedule,
): Promise<readonly Fact[]> {
  const shown = targets.filter(({ vps }) => vps !== '').slice(0, maxStates);
  return Promise.all(
    shown.map(async ({ vps, label }) => {
      const { facts } = await readVpsState(read, vps);
      const state = facts.find((fact) => fact.label === 'State');
      return { label, value: state?.value ?? 'not shown' };
    }),
  );
}

/** Returns how much room for snapshots the rule for keeping them needs. */
async function readRoom(
  { read }: OperationContext,
  { plan: { keep }, targets }: PlannedSchedule,
): Promise<readonly string[]> {
  if (!keep) return [];
  const shown = targets.filter(({ vps }) => vps !== '').slice(0, maxStates);
  const warnings = await Promise.all(shown.map((target) => findRoomWarning(read, target, keep)));
  const known = warnings.filter((warning) => warning !== undefined);
  return known.length > 0
    ? known
    : [
        `This needs room for ${snapshotsNeeded(keep)} snapshots of each VPS: the next one is taken before an older one is deleted.`,
      ];
}

interface CardOptions {
  readonly hasChanged: boolean;
  readonly roomNotes: readonly string[];
  readonly states: readonly Fact[];
  readonly nowMs: number;
}

/** Formats the card that asks to confirm. Its button is bound to the exact request, targets and times. */
function formatCard(
  { plan, operation, targets, digest, typedToConfirm, approval }: PlannedSchedule,
  options: CardOptions,
): Outcome {
  const { hasChanged, states, roomNotes, nowMs } = options;
  const hidden = targets.length - states.length;
  const confirmed = toInput(plan);
  return {
    title: `Schedule this? ${plan.act.title}`,
    isQuestion: true,
    facts: [
      { label: 'When', value: formatWhen(plan.timing) },
      ...nextTimeFacts(plan.timing, nowMs),
      ...planFacts(plan).filter(({ label }) => ['Keep', 'Reason', 'Channel'].includes(label)),
      ...states,
    ],
    notes: [
      ...(hasChanged ? ['Something has changed since the last card. Check it again.'] : []),
      ...(hidden > 0 && targets.length > 1 ? [`And ${hidden} more VPS, ${targets.length} in total.`] : []),
      ...(plan.act.vps?.includes('*')
        ? [`Each time, it acts on the VPS that match ${plan.act.vps} then.`]
        : plan.act.command.includes('*')
          ? ['It stays with these VPS. Others that match later are not included.']
          : []),
      ...(typeof operation.warning === 'string' ? [operation.warning] : []),
      ...(plan.keep
        ? ['Retention deletes snapshots that this schedule took, never the last complete one.']
        : []),
      ...roomNotes,
      ...(approval ? ['A rule asks someone else to approve this before it is active.'] : []),
      ...(typedToConfirm === undefined ? [] : [`To confirm, press the button and type ${typedToConfirm}.`]),
    ],
    next: [
      typedToConfirm === undefined
        ? { label: 'Schedule', operation: 'schedule', input: { ...confirmed, confirm: digest } }
        : { label: 'Schedule…', operation: 'schedule', input: confirmed, opensForm: true },
    ],
  };
}

/** Returns the input that would create the same plan. */
export function toInput({ act, timing, keep, announceMs, channel, name }: SchedulePlan): RawInput {
  return {
    act: act.command,
    when: act.when,
    zone: timing.zone,
    ...(keep && { keep: toKeepText(keep) }),
    announce: `${Math.round(announceMs / 60_000)}m`,
    channel,
    name,
  };
}
