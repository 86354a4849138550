import { type ChannelPublisher, postIntro } from '../../monitoring/shared/channel-publisher.ts';
import { whenPreview } from '../../monitoring/shared/when-arguments.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../operations/define/operation.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import { invalidPlanError } from '../../plans/plan-arguments.ts';
import { listStep, planSteps } from '../../plans/plan-words.ts';
import { splitWhen } from '../../time/parse-when.ts';
import { nextTimeFacts, planFacts, toInput } from '../format-schedule.ts';
import type { PlannedSchedule, SchedulePlanner } from '../planning/plan-schedule.ts';
import type { ScheduleStore } from '../schedule-store.ts';
import { askToConfirm, isConfirmed } from './confirm-schedule.ts';
import { type AskForApproval, formatIntro } from './edit-schedule.ts';
import { scheduleArguments } from './schedule-arguments.ts';

interface AddScheduleDependencies {
  readonly store: ScheduleStore;
  readonly makePlan: SchedulePlanner;
  readonly publisher: Pick<ChannelPublisher, 'postText'>;
  readonly askForApproval: AskForApproval;
  readonly now: () => number;
}

export function createAddScheduleOperation(dependencies: AddScheduleDependencies): Operation {
  const { store, makePlan, publisher, askForApproval, now } = dependencies;

  async function add(context: OperationContext, planned: PlannedSchedule): Promise<Outcome> {
    const { actor } = context;
    const { plan, approval } = planned;
    await postIntro(publisher, actor, plan.channel, formatIntro(plan));
    const schedule = await store.add(actor, plan, approval ? 'approval' : 'active', now());
    if (approval)
      try {
        await askForApproval(schedule, approval);
      } catch (error) {
        await store.delete(schedule, { byUserId: actor.userId }, now());
        throw error;
      }
    return {
      title: approval ? `"${plan.name}" waits for approval` : `"${plan.name}" is scheduled`,
      facts: [...planFacts(plan), ...nextTimeFacts(plan.timing, now())],
      notes: approval ? ['Nothing happens until someone else approves it.'] : [],
      next: [...planSteps('schedule', schedule), listStep('schedule')],
    };
  }

  return defineLocal({
    name: 'schedule',
    heading: 'Schedule a change',
    summary: 'Schedule a change, once or repeatedly',
    arguments: scheduleArguments,
    customSyntax: {
      usage: 'COMMAND TIME',
      parse(typed, words) {
        const { act, when } = splitQuoted(words) ?? splitWhen(typed);
        return { ...(act !== '' && { act }), ...(when !== '' && { when }) };
      },
    },
    button: 'Schedule',
    // The planner checks the rights that the change needs on each target.
    right: null,
    isLoggedAsChange: () => true,
    target: ({ name, act }) => name ?? act,
    form: {
      preview: whenPreview(now),
    },
    async run(context, input) {
      const planning = await makePlan(context, input);
      if (planning.kind === 'invalid') throw invalidPlanError(planning.problems);
      const { planned } = planning;
      if (!planned.needsConfirmation) return add(context, planned);
      if (isConfirmed(planned, input.confirm)) return add(context, planned);
      return askToConfirm(context, planned, {
        title: `Schedule this? ${planned.plan.act.title}`,
        label: 'Schedule',
        operation: 'schedule',
        input: toInput(planned.plan),
        confirm: input.confirm,
        nowMs: now(),
      });
    },
  });
}

/** Splits a quoted command from the time after it. Returns undefined if the first word isn't the full command. */
function splitQuoted([quoted = '', ...others]: readonly string[]) {
  const when = others.join(' ');
  if (!quoted.includes(' ') || when === '') return undefined;
  const after = splitWhen(`${quotedPlace} ${when}`);
  return after.act === quotedPlace || after.when === '' ? { act: quoted, when } : undefined;
}

const quotedPlace = 'COMMAND';
