import type { InputOf } from '../../../operations/define/arguments/argument.ts';
import { inputSchema } from '../../../operations/define/arguments/argument.ts';
import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import type { Operation } from '../../../operations/define/operation.ts';
import type { Fact } from '../../../operations/define/outcome.ts';
import type { LabelVps } from '../../../operations/format/label-vps.ts';
import { applyChange, toEditArgument } from '../../shared/monitor/edit-arguments.ts';
import { changedFacts, createEditMonitorOperation } from '../../shared/monitor/edit-monitor.ts';
import { monitorNextSteps } from '../../shared/monitor/monitor.ts';
import type { TellChannels } from '../../shared/tell-channels.ts';
import type { IncidentNotifier } from '../delivery/incident-notifier.ts';
import type { IncidentPublisher } from '../delivery/incident-publisher.ts';
import { checkReadable } from '../planning/check-readable.ts';
import { type WatchArguments, type WatchInput, watchArgument } from '../planning/watch-arguments.ts';
import {
  evaluationFacts,
  toWatchPlanInput,
  type WatchPlanner,
  watchPlanFacts,
} from '../planning/watch-planner.ts';
import type { Watch, WatchPlan } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';
import { previewedArguments, previewWatch } from './add-watch.ts';
import { postWatchIntro } from './watch-intro.ts';

interface EditWatchDependencies {
  readonly store: Pick<WatchStore, 'edit' | 'find'>;
  readonly watches: ChoiceSource;
  readonly fields: WatchArguments;
  readonly makePlan: WatchPlanner;
  readonly publisher: Pick<IncidentPublisher, 'postText'>;
  readonly tellChannels: TellChannels;
  readonly closeIncident: IncidentNotifier['close'];
}

function editArguments(fields: WatchArguments, watches: ChoiceSource) {
  const { vps, measure, is, figure, match, state, lasts, channel, name, notify, escalate, escalateTo } =
    fields;
  return {
    name: watchArgument(watches),
    vps: toEditArgument({ ...vps, flag: 'vps' }),
    measure: toEditArgument({ ...measure, flag: 'what' }),
    is: toEditArgument({ ...is, flag: 'is' }),
    figure: toEditArgument({ ...figure, flag: 'threshold' }),
    match: toEditArgument({ ...match, flag: 'match' }),
    state: toEditArgument({ ...state, flag: 'state' }),
    lasts: toEditArgument({ ...lasts, flag: 'for' }),
    channel: toEditArgument(channel),
    notify: toEditArgument(notify),
    escalate: toEditArgument(escalate),
    escalateTo: toEditArgument(escalateTo),
    rename: toEditArgument({ ...name, hint: 'The new name.' }),
  };
}

type EditInput = InputOf<ReturnType<typeof editArguments>>;

/** An edited watch starts over with a new alert state. */
export function createEditWatchOperation(dependencies: EditWatchDependencies): Operation {
  const { store, watches, fields, makePlan, publisher, tellChannels, closeIncident } = dependencies;

  return createEditMonitorOperation({
    kind: 'watch',
    summary: 'Change the condition, channel or name of a watch',
    arguments: editArguments(fields, watches),
    store,
    toPlanInput: toWatchPlanInput,
    preview: {
      dependsOn: previewedArguments,
      build: (context, given) => previewWatch({ fields, makePlan }, context, given),
    },
    makePlan: (context, input, watch) => makePlan(context, mergeChanges(fields, watch, input), watch),
    async save(watch: Watch, { plan, selected, intervalMs, warnings, labelVps }, { read, actor }) {
      const isChanged = !isSamePlan(watch, plan);
      const changes = changedFacts(namedPlanFacts(watch, labelVps), namedPlanFacts(plan, labelVps));
      if (isChanged) {
        if (plan.channel !== watch.channel) await postWatchIntro(publisher, watch.teamId, plan, labelVps);
        if (!(await store.edit(watch, plan))) return undefined;
        await closeIncident(watch, 'the watch was edited and starts over');
        await tellChannels(watch.teamId, [watch.channel], {
          title: `Watch "${watch.name}" was changed`,
          facts: [...changes, { label: 'By', value: { kind: 'person', person: actor.userId } }],
        });
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
          ...(isPaused ? ["It's paused. Resume it to get alerts again."] : []),
        ],
        next: [
          { label: 'Show', operation: 'watch show', input: { name } },
          ...readable.steps,
          ...monitorNextSteps('watch', name, isPaused),
        ],
      };
    },
  });
}

/** Applies the changes to the current plan. The threshold is dropped if the measure changes. */
function mergeChanges(fields: WatchArguments, watch: Watch, { rename, ...changes }: EditInput): WatchInput {
  const was = inputSchema(fields).parse(toWatchPlanInput(watch));
  const measure = changes.measure ?? was.measure;
  const isOther = measure !== was.measure;
  const isEscalationRemoved = changes.escalate === null || changes.escalateTo === null;
  return {
    vps: applyChange(changes.vps, was.vps),
    measure,
    is: applyChange(changes.is, isOther ? undefined : was.is),
    figure: applyChange(changes.figure, isOther ? undefined : was.figure),
    match: applyChange(changes.match, isOther ? undefined : was.match),
    state: applyChange(changes.state, isOther ? undefined : was.state),
    lasts: applyChange(changes.lasts, was.lasts),
    channel: changes.channel ?? was.channel,
    name: rename ?? was.name,
    notify: applyChange(changes.notify, was.notify),
    ...(isEscalationRemoved
      ? { escalate: undefined, escalateTo: undefined }
      : {
          escalate: applyChange(changes.escalate, was.escalate),
          escalateTo: applyChange(changes.escalateTo, was.escalateTo),
        }),
  };
}

/** Returns whether the plan is unchanged. An unchanged watch must not start over. */
function isSamePlan(before: Watch, after: WatchPlan): boolean {
  const planOf = ({ name, channel, vps, condition, notify, escalation }: WatchPlan) => [
    name,
    channel,
    vps,
    condition,
    notify,
    escalation,
  ];
  return JSON.stringify(planOf(before)) === JSON.stringify(planOf(after));
}

function namedPlanFacts(plan: WatchPlan, labelVps: LabelVps): readonly Fact[] {
  return [{ label: 'Name', value: plan.name }, ...watchPlanFacts(plan, labelVps)];
}
