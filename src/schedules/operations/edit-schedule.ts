import { RackhandError } from '../../errors.ts';
import { type ChannelPublisher, postIntro } from '../../monitoring/shared/channel-publisher.ts';
import type { OperationContext } from '../../operations/define/operation.ts';
import type { Fact, Outcome } from '../../operations/define/outcome.ts';
import { describeTakenName, type PlanResult } from '../../plans/plan-arguments.ts';
import { changedFacts, type OncePerChannel } from '../../plans/plan-operations.ts';
import { listStep, planSteps, showStep } from '../../plans/plan-words.ts';
import { formatWhen } from '../../time/format-when.ts';
import { nextTimeAfter } from '../../time/timetable.ts';
import { nextTimeFacts, planFacts, toInput } from '../format-schedule.ts';
import type { PlannedSchedule, ScheduleApproval, SchedulePlanner } from '../planning/plan-schedule.ts';
import type { Schedule, SchedulePlan } from '../schedule.ts';
import type { ScheduleStore } from '../schedule-store.ts';
import { askToConfirm, isConfirmed } from './confirm-schedule.ts';
import type { ScheduleInput } from './schedule-arguments.ts';

interface EditScheduleDependencies {
  readonly store: Pick<ScheduleStore, 'edit' | 'listTakenNames'>;
  readonly makePlan: SchedulePlanner;
  readonly publisher: Pick<ChannelPublisher, 'postText'>;
  readonly askForApproval: AskForApproval;
  readonly now: () => number;
}

/**
 * Asks a second person for approval. Returns a function that withdraws the request. Throws if no one could be asked.
 */
export type AskForApproval = (schedule: Schedule, approval: ScheduleApproval) => Promise<() => Promise<void>>;

export type EditedSchedule =
  /** Only the name or announcement changes, so the confirmation and approval still hold. */
  | { readonly kind: 'kept'; readonly plan: SchedulePlan }
  | { readonly kind: 'planned'; readonly planned: PlannedSchedule };

export interface EditSchedule {
  makePlan(
    context: OperationContext,
    input: ScheduleInput,
    schedule: Schedule,
  ): Promise<PlanResult<EditedSchedule>>;
  /** Resolves to undefined if someone else has changed the schedule since it was read. */
  save(
    schedule: Schedule,
    edited: EditedSchedule,
    context: OperationContext,
    confirm: string | undefined,
    once: OncePerChannel,
  ): Promise<Outcome | undefined>;
}

/**
 * Edits schedules. A new command, time, retention or channel needs a new confirmation and approval. The schedule then
 * runs with the editor's rights.
 */
export function createEditSchedule(dependencies: EditScheduleDependencies): EditSchedule {
  const { store, makePlan, publisher, askForApproval, now } = dependencies;

  async function savePlanned(
    schedule: Schedule,
    { plan, approval }: PlannedSchedule,
    { actor }: OperationContext,
    once: OncePerChannel,
  ): Promise<Outcome | undefined> {
    const { state } = schedule;
    const staysPaused = state.kind === 'paused' && !isPausedByRackhand(schedule);
    if (staysPaused && approval)
      throw new RackhandError(
        'input_invalid',
        'The change needs approval. Resume the schedule, then edit it.',
      );
    const edited: Schedule = {
      ...schedule,
      ...plan,
      createdBy: actor.userId,
      createdMs: Math.max(now(), schedule.createdMs + 1),
      state: approval ? { kind: 'approval' } : staysPaused ? state : { kind: 'active' },
      approval: null,
      nextMs: nextTimeAfter(plan.timing, now()) ?? null,
    };
    if (plan.channel !== schedule.channel)
      await once(plan.channel, () => postIntro(publisher, actor, plan.channel, formatIntro(plan)));
    // The request is bound to this version. If the version isn't saved, it can't be approved.
    const withdraw = approval && (await askForApproval(edited, approval));
    const saved = await store.edit(schedule, edited, now());
    if (saved) return formatEdited(schedule, saved, now());
    await withdraw?.();
    return undefined;
  }

  return {
    async makePlan(context, input, schedule) {
      if (schedule.occurrence)
        throw new RackhandError(
          'input_invalid',
          `Schedule "${schedule.name}" is running. Edit it when it has finished.`,
        );
      if (!isSameDecision(input, schedule) || isPausedByRackhand(schedule)) {
        const planning = await makePlan(context, input, schedule);
        return planning.kind === 'invalid'
          ? planning
          : { kind: 'valid', planned: { kind: 'planned', planned: planning.planned } };
      }
      const { name = schedule.name, announce = schedule.announceMs } = input;
      const taken = await store.listTakenNames(schedule.teamId);
      const holder = taken.find((other) => other.name === name && other.id !== schedule.id);
      return holder
        ? { kind: 'invalid', problems: [{ path: 'name', message: describeTakenName(holder) }] }
        : { kind: 'valid', planned: { kind: 'kept', plan: { ...schedule, name, announceMs: announce } } };
    },

    async save(schedule, edited, context, confirm, once) {
      if (edited.kind === 'planned') {
        const { planned } = edited;
        const version = String(schedule.createdMs);
        if (!planned.needsConfirmation || isConfirmed(planned, confirm, version))
          return savePlanned(schedule, planned, context, once);
        const { name: rename = '', ...input } = toInput(planned.plan);
        return askToConfirm(context, planned, {
          title: `Change schedule "${schedule.name}"? ${planned.plan.act.title}`,
          label: 'Save',
          operation: 'schedule edit',
          input: { ...input, name: schedule.name, rename },
          confirm,
          version,
          nowMs: now(),
        });
      }
      const changed = { ...schedule, ...edited.plan };
      const facts = changes(schedule, changed);
      if (facts.length > 0 && !(await store.edit(schedule, changed, now()))) return undefined;
      return {
        title: `Schedule "${changed.name}" ${facts.length > 0 ? 'was changed' : 'is unchanged'}`,
        facts,
        next: stepsOf(changed),
      };
    },
  };
}

export function formatIntro({ name, act, timing }: SchedulePlan): string {
  return `Schedule "${name}": ${act.title}. ${formatWhen(timing)}. Results are posted here.`;
}

function formatEdited(before: Schedule, after: Schedule, nowMs: number): Outcome {
  const { name, state, timing, createdBy } = after;
  const isPaused = state.kind === 'paused';
  const isAwaited = state.kind === 'approval';
  return {
    title: isAwaited ? `"${name}" waits for approval` : `Schedule "${name}" was changed`,
    facts: [...changes(before, after), ...(isPaused ? [] : nextTimeFacts(timing, nowMs))],
    notes: [
      ...(isAwaited ? ['Nothing happens until someone else approves it.'] : []),
      ...(isPaused ? ['The schedule is paused. Resume it to start it again.'] : []),
      ...(before.createdBy === createdBy ? [] : ['The schedule runs with your rights now.']),
    ],
    next: stepsOf(after),
  };
}

function isPausedByRackhand({ state }: Schedule): boolean {
  return state.kind === 'paused' && state.reason !== 'person';
}

/** Returns whether everything that was confirmed and approved stays the same. */
function isSameDecision(input: ScheduleInput, schedule: Schedule): boolean {
  const { act, timing, keep, channel } = schedule;
  return (
    input.act === act.command &&
    input.when === act.when &&
    input.zone === timing.zone &&
    JSON.stringify(input.keep ?? null) === JSON.stringify(keep) &&
    input.channel === channel
  );
}

function changes(before: SchedulePlan, after: SchedulePlan): readonly Fact[] {
  const facts = (plan: SchedulePlan): readonly Fact[] => [
    { label: 'Name', value: plan.name },
    ...planFacts(plan),
    { label: 'Announced before', value: { kind: 'duration', durationMs: plan.announceMs } },
  ];
  return changedFacts(facts(before), facts(after));
}

function stepsOf(schedule: Schedule) {
  return [showStep('schedule', schedule.name), ...planSteps('schedule', schedule), listStep('schedule')];
}
