import { formatPatterns } from '../../../auth/vps-pattern.ts';
import type { Database } from '../../../db/engines/database.ts';
import { RackhandError } from '../../../errors.ts';
import { listVps } from '../../../hosting/endpoints/vps.ts';
import { findPagesRead } from '../../../hosting/payloads/pages.ts';
import type { Outbox } from '../../../messages/outbox.ts';
import { loadVpsLabels } from '../../../operations/choices/sources/vps-labels.ts';
import type { InputOf } from '../../../operations/define/arguments/argument.ts';
import { type ChoiceSource, maxChoicesAgeMs } from '../../../operations/define/arguments/choice-source.ts';
import type { Operation, OperationContext } from '../../../operations/define/operation.ts';
import type { Fact, Outcome } from '../../../operations/define/outcome.ts';
import type { Read } from '../../../operations/define/read.ts';
import { createVpsLabeler, type LabelVps } from '../../../operations/format/label-vps.ts';
import { applyChanges, createEditArguments, type EditArgumentsOf } from '../../../plans/plan-arguments.ts';
import { changedFacts, createPlanOperations, type OncePerChannel } from '../../../plans/plan-operations.ts';
import { planSteps, showStep } from '../../../plans/plan-words.ts';
import type { ChannelPublisher, TellChannels } from '../../shared/channel-publisher.ts';
import { pauseFacts, pauseNotes } from '../../shared/pauses/pauses.ts';
import { capitalize, formatShortDuration, formatShortList } from '../../shared/text-format.ts';
import { formatCondition } from '../condition.ts';
import type { CloseAlert } from '../delivery/close-alert.ts';
import { formatUnreadSubject, groupUnread } from '../delivery/unread-notices.ts';
import { stateIntervalMs } from '../evaluation/evaluation-rate.ts';
import { formatUnreadReason } from '../evaluation/unread-reason.ts';
import { checkReadable } from '../planning/check-readable.ts';
import { type WatchArguments, type WatchInput, watchArgument } from '../planning/watch-arguments.ts';
import {
  evaluationFacts,
  type PlannedWatch,
  toWatchPlanInput,
  type WatchPlanner,
  watchPlanFacts,
} from '../planning/watch-planner.ts';
import type { Watch, WatchPlan } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';
import { postWatchIntro, previewedArguments, previewWatch } from './add-watch.ts';

interface WatchVerbsDependencies {
  readonly store: WatchStore;
  readonly watches: ChoiceSource;
  readonly fields: WatchArguments;
  readonly makePlan: WatchPlanner;
  readonly publisher: Pick<ChannelPublisher, 'postText'>;
  readonly tellChannels: TellChannels;
  readonly outbox: Pick<Outbox, 'transact' | 'wake'>;
  readonly closeAlert: CloseAlert;
  readonly scheduleEvaluation: (teamId: string) => Promise<void>;
  readonly intervalMsFor: (teamId: string) => Promise<number | undefined>;
  readonly now: () => number;
}

const maxNames = 5;

export function createWatchVerbs(dependencies: WatchVerbsDependencies): readonly Operation[] {
  const { store, watches, fields, makePlan, publisher, tellChannels, outbox, closeAlert } = dependencies;
  const { scheduleEvaluation, intervalMsFor, now } = dependencies;

  /** Stops a watch, closes its alert and notifies its channel, all in one transaction. */
  async function stop(
    watch: Watch,
    how: 'paused' | 'deleted',
    by: string | null,
    change: (transaction: Database) => Promise<Watch | undefined>,
  ): Promise<Watch | undefined> {
    const { teamId, channel, name } = watch;
    const outcome = {
      title: `🔕 Watch "${name}" no longer alerts here`,
      facts: [{ label: `${capitalize(how)} by`, value: { kind: 'person', person: by ?? '' } } as const],
    };
    return outbox.transact(async (transaction) => {
      const stopped = await change(transaction);
      if (!stopped) return undefined;
      await closeAlert(watch, `the watch was ${how}`, transaction);
      await tellChannels(teamId, [channel], outcome, transaction);
      return stopped;
    });
  }

  /** Saves an edited watch. If anything changed, the watch starts over with a new alert state. */
  async function save(
    watch: Watch,
    { plan, selected, intervalMs, warnings, labelVps }: PlannedWatch,
    { read, actor }: OperationContext,
    _: EditInput,
    once: OncePerChannel,
  ): Promise<Outcome | undefined> {
    const isChanged = !isSamePlan(watch, plan);
    const changes = changedFacts(namedPlanFacts(watch, labelVps), namedPlanFacts(plan, labelVps));
    if (isChanged) {
      if (plan.channel !== watch.channel)
        await once(plan.channel, () => postWatchIntro(publisher, actor, plan, labelVps));
      const told: Outcome = {
        title: `Watch "${watch.name}" was changed`,
        facts: [...changes, { label: 'By', value: { kind: 'person', person: actor.userId } }],
      };
      const edited = await store.edit(watch, plan, now(), async (transaction) => {
        await closeAlert(watch, 'the watch was edited and starts over', transaction);
        await tellChannels(watch.teamId, [watch.channel], told, transaction);
      });
      if (!edited) return undefined;
      outbox.wake();
    }
    const readable = await checkReadable(read, plan.condition, selected, labelVps);
    const { name } = plan;
    const isPaused = watch.state.kind === 'paused';
    return {
      title: `Watch "${name}" ${isChanged ? 'was changed' : 'is unchanged'}`,
      facts: [...changes, ...(isPaused ? [] : evaluationFacts(plan.condition, intervalMs))],
      notes: [
        ...warnings,
        ...readable.warnings,
        ...(isPaused ? ['The watch is paused. Resume it to get alerts again.'] : []),
      ],
      next: [showStep('watch', name), ...readable.steps, ...planSteps('watch', { ...watch, name })],
    };
  }

  return createPlanOperations<Watch, EditArgumentsOf<WatchArguments>, PlannedWatch>({
    kind: 'watch',
    store: {
      ...store,
      pause: (watch, pause, nowMs) =>
        stop(watch, 'paused', pause.byUserId, (transaction) => store.pause(watch, pause, nowMs, transaction)),
      delete: (watch, by, nowMs) =>
        stop(watch, 'deleted', by.byUserId, (transaction) => store.delete(watch, by, nowMs, transaction)),
    },
    nameArgument: watchArgument(watches),
    rights: { view: 'view', change: 'operate' },
    now,
    list: {
      columns: ['Now', 'Condition', 'VPS'],
      async format(_, context) {
        const labelVps = createVpsLabeler(await loadVpsLabels(context));
        return (watch) => ({
          cells: [
            formatCurrentState(watch, labelVps),
            formatCondition(watch.condition),
            labelVps(formatPatterns(watch.vps)),
          ],
          notes: [...pauseNotes(watch, 'watch'), ...readFailureNotes(watch, now(), labelVps)],
        });
      },
    },
    async show(watch, context) {
      const { condition, createdBy } = watch;
      const isOfState = condition.measure === 'state';
      const everyMs = await (isOfState ? findStateIntervalMs(context.read) : intervalMsFor(watch.teamId));
      const labelVps = createVpsLabeler(await loadVpsLabels(context));
      const isActive = watch.state.kind === 'active';
      return {
        facts: [
          ...(isActive
            ? [{ label: 'Now', value: formatCurrentState(watch, labelVps) }]
            : pauseFacts(watch, 'watch')),
          ...watchPlanFacts(watch, labelVps),
          ...(isActive && everyMs !== undefined ? evaluationFacts(condition, everyMs) : []),
          { label: 'Created by', value: { kind: 'person', person: createdBy } },
        ],
        notes: readFailureNotes(watch, now(), labelVps),
      };
    },
    async afterResume({ teamId }) {
      await scheduleEvaluation(teamId);
      return [];
    },
    toPlanInput: toWatchPlanInput,
    edit: {
      summary: 'Change the condition, channel or name of a watch',
      arguments: createEditArguments(watchArgument(watches), fields, conditionFlags),
      preview: {
        dependsOn: previewedArguments,
        build: (context, given) => previewWatch({ fields, makePlan }, context, given),
      },
      makePlan: (context, input, watch) => makePlan(context, mergeChanges(fields, watch, input), watch),
      save,
    },
  });
}

/** Flags for editing parts of a condition. A new watch's condition is typed without flags. */
const conditionFlags = {
  vps: 'vps',
  measure: 'what',
  is: 'is',
  figure: 'threshold',
  match: 'match',
  state: 'state',
  lasts: 'for',
} as const;

type EditInput = InputOf<EditArgumentsOf<WatchArguments>>;

/** Returns how often states are read (in ms), which depends on the length of the VPS list. */
async function findStateIntervalMs(read: Read): Promise<number | undefined> {
  try {
    const list = await read(listVps, {}, { maxAgeMs: maxChoicesAgeMs, maxPages: 1 });
    return stateIntervalMs(findPagesRead(list)?.allPages ?? 1);
  } catch (error) {
    // The watch can be shown even if the service can't be reached.
    if (error instanceof RackhandError) return undefined;
    throw error;
  }
}

/** Formats a watch's alerts. Doesn't say that nothing is wrong if something can't be read. */
function formatCurrentState({ state, condition, alertState }: Watch, labelVps: LabelVps): string {
  if (state.kind === 'paused') return 'paused';
  const over = Object.entries(alertState.vpsStates).flatMap(([name, { isAlerting }]) =>
    isAlerting ? [labelVps(name)] : [],
  );
  const unread = groupUnread(alertState).flatMap(({ vps, reason }) => (reason === 'off' ? [] : vps));
  const unreadText =
    unread.length === 0 ? [] : [`? can't read ${formatUnreadSubject(condition, unread, labelVps)}`];
  const overText = over.length === 0 ? [] : [`⚠️ ${formatShortList(over, maxNames)}`];
  return [...overText, ...unreadText].join('; ') || (alertState.isChecked ? '✅ nothing' : 'not checked yet');
}

function readFailureNotes(
  { state, condition, alertState }: Watch,
  nowMs: number,
  labelVps: LabelVps,
): readonly string[] {
  if (state.kind !== 'active') return [];
  return groupUnread(alertState).map(({ vps, reason, sinceMs }) => {
    const subject = formatUnreadSubject(condition, vps, labelVps);
    const pronoun = vps.length === 1 ? 'it' : 'them';
    return `${capitalize(subject)} couldn't be read for ${formatShortDuration(nowMs - sinceMs)}: ${formatUnreadReason(reason)}. The watch can't alert for ${pronoun} until that changes.`;
  });
}

/** Applies the changes to the current plan. Drops the threshold if the measure changes. */
function mergeChanges(fields: WatchArguments, watch: Watch, changes: EditInput): WatchInput {
  const present = toWatchPlanInput(watch);
  const isOther = typeof changes.measure === 'string' && changes.measure !== present.measure;
  const merged = applyChanges(fields, present, changes, isOther ? ['is', 'figure', 'match', 'state'] : []);
  const isEscalationRemoved = changes.escalate === null || changes.escalateTo === null;
  return isEscalationRemoved ? { ...merged, escalate: undefined, escalateTo: undefined } : merged;
}

/** Returns whether the plan is unchanged. An unchanged watch must not start over. */
function isSamePlan(before: Watch, after: WatchPlan): boolean {
  return JSON.stringify(toWatchPlanInput(before)) === JSON.stringify(toWatchPlanInput(after));
}

function namedPlanFacts(plan: WatchPlan, labelVps: LabelVps): readonly Fact[] {
  return [{ label: 'Name', value: plan.name }, ...watchPlanFacts(plan, labelVps)];
}
