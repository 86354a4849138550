import { type InputOf, inputSchema } from '../../../operations/define/arguments/argument.ts';
import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import type { Operation } from '../../../operations/define/operation.ts';
import type { Fact, Outcome } from '../../../operations/define/outcome.ts';
import type { LabelVps } from '../../../operations/format/label-vps.ts';
import { applyChange, toEditArgument } from '../../shared/monitor/edit-arguments.ts';
import { changedFacts, createEditMonitorOperation } from '../../shared/monitor/edit-monitor.ts';
import { previewWhen } from '../../shared/when-arguments.ts';
import type { ReportPublisher } from '../delivery/report-publisher.ts';
import { type PlanInput, planArguments, timeArguments } from '../planning/plan-arguments.ts';
import { nextTimeFacts, reportPlanFacts } from '../planning/plan-facts.ts';
import { reportArgument } from '../planning/report-arguments.ts';
import { toReportPlanInput } from '../planning/report-plan-input.ts';
import { createReportPlanner, type ReportPlannerDependencies } from '../planning/report-planner.ts';
import type { Report, ReportPlan } from '../report.ts';
import type { ReportStore } from '../report-store.ts';
import { postReportIntro } from './report-intro.ts';

interface EditReportDependencies extends ReportPlannerDependencies {
  readonly store: ReportStore;
  readonly reports: ChoiceSource;
  readonly publisher: Pick<ReportPublisher, 'postText'>;
  /** Wakes the scheduler, because the times of reports have changed. */
  readonly wake: () => void;
  readonly now: () => number;
}

type EditInput = InputOf<ReturnType<typeof editArguments>>;

export function createEditReportOperation({
  store,
  reports,
  publisher,
  wake,
  now,
  otherCallsPerMinute,
}: EditReportDependencies): Operation {
  const makePlan = createReportPlanner({ store, otherCallsPerMinute, now });

  return createEditMonitorOperation({
    kind: 'report',
    summary: 'Change the content, schedule or name of a report',
    arguments: editArguments(reports),
    store,
    toPlanInput: toReportPlanInput,
    preview: {
      dependsOn: timeArguments,
      build: (context, given) => previewWhen(context, given, { nowMs: now() }),
    },
    makePlan: (context, input, report) => makePlan(context, mergeChanges(report, input), report),
    async save(report: Report, { plan, labelVps }) {
      if (plan.channel !== report.channel) await postReportIntro(publisher, report.teamId, plan);
      if (!(await store.edit(report, plan, now()))) return undefined;
      wake();
      return formatEdited(report, plan, { nowMs: now(), labelVps });
    },
  });
}

/** Applies the changes to the current plan. Values that fit only a replaced value are removed. */
function mergeChanges(report: Report, { rename, ...changes }: EditInput): PlanInput {
  const is = inputSchema(planArguments).parse(toReportPlanInput(report));
  const isScopeOther = [changes.what, changes.vps, changes.about].some(
    (change) => typeof change === 'string',
  );
  return {
    when: changes.when ?? is.when,
    zone: applyChange(changes.zone, is.zone),
    channel: changes.channel ?? is.channel,
    what: applyChange(changes.what, isScopeOther ? undefined : is.what),
    vps: applyChange(changes.vps, isScopeOther ? undefined : is.vps),
    about: applyChange(changes.about, isScopeOther ? undefined : is.about),
    post: applyChange(changes.post, is.post),
    thresholds: applyChange(changes.thresholds, is.thresholds),
    quiet: applyChange(changes.quiet, is.quiet),
    name: rename ?? is.name,
  };
}

function formatEdited(
  before: Report,
  plan: ReportPlan,
  { nowMs, labelVps }: { readonly nowMs: number; readonly labelVps: LabelVps },
): Outcome {
  const facts = changedFacts(namedPlanFacts(before, labelVps), namedPlanFacts(plan, labelVps));
  const { name, timing } = plan;
  const next: Outcome['next'] = [
    { label: 'Run Now', operation: 'report run', input: { name } },
    { label: 'Show', operation: 'report show', input: { name } },
    { label: 'Edit', operation: 'report edit', input: { name }, opensForm: true },
  ];
  if (facts.length === 0) return { title: `Report "${name}" is unchanged`, next };
  const isPaused = before.state.kind === 'paused';
  return {
    title: `Report "${name}" was changed`,
    facts: [...facts, ...(isPaused ? [] : nextTimeFacts(timing, nowMs))],
    notes: isPaused ? ["It's paused. Resume it to get reports again."] : [],
    next,
  };
}

function namedPlanFacts(plan: ReportPlan, labelVps: LabelVps): readonly Fact[] {
  return [{ label: 'Name', value: plan.name }, ...reportPlanFacts(plan, { labelVps })];
}

/**
 * The arguments of an edit: the report and the new values. Undefined keeps a value, and `null`
 * removes it.
 */
function editArguments(reports: ChoiceSource) {
  const { when, name, ...others } = planArguments;
  return {
    name: reportArgument(reports),
    when: toEditArgument({ ...when, flag: 'when' }),
    zone: toEditArgument(others.zone),
    channel: toEditArgument(others.channel),
    what: toEditArgument(others.what),
    vps: toEditArgument(others.vps),
    about: toEditArgument(others.about),
    post: toEditArgument(others.post),
    thresholds: toEditArgument(others.thresholds),
    quiet: toEditArgument(others.quiet),
    rename: toEditArgument({ ...name, hint: 'The new name.' }),
  };
}
