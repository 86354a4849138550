import { formatPatterns } from '../../../auth/vps-pattern.ts';
import { RackhandError } from '../../../errors.ts';
import { loadVpsLabels } from '../../../operations/choices/sources/vps-labels.ts';
import { type InputOf, inputSchema } from '../../../operations/define/arguments/argument.ts';
import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import type { Operation, OperationContext } from '../../../operations/define/operation.ts';
import type { Fact, NextStep, Outcome } from '../../../operations/define/outcome.ts';
import { createVpsLabeler, type LabelVps } from '../../../operations/format/label-vps.ts';
import { applyChange, toEditArgument } from '../../../plans/plan-arguments.ts';
import { changedFacts, createPlanOperations } from '../../../plans/plan-operations.ts';
import { formatNext, planSteps, showStep } from '../../../plans/plan-words.ts';
import { formatWhen } from '../../../time/format-when.ts';
import type { ChannelPublisher } from '../../shared/channel-publisher.ts';
import { pauseFacts, pauseNotes } from '../../shared/pauses/pauses.ts';
import { selectVps } from '../../shared/plan-target.ts';
import { previewWhen } from '../../shared/when-arguments.ts';
import { findCapacityProblem } from '../capacity.ts';
import {
  nextTimeFacts,
  type PlanInput,
  planArguments,
  reportArgument,
  reportContent,
  reportPlanFacts,
  timeArguments,
  toReportPlanInput,
} from '../planning/report-plan.ts';
import {
  createReportPlanner,
  type PlannedReport,
  type ReportPlannerDependencies,
} from '../planning/report-planner.ts';
import type { Report, ReportPlan, ReportStore } from '../report.ts';
import { postReportIntro } from './add-report.ts';

interface ReportVerbsDependencies extends ReportPlannerDependencies {
  readonly store: ReportStore;
  readonly reports: ChoiceSource;
  readonly publisher: Pick<ChannelPublisher, 'postText'>;
  readonly now: () => number;
}

type EditInput = InputOf<ReturnType<typeof editArguments>>;

/** Declares the operations that reports have in common with other plans. */
export function createReportVerbs(dependencies: ReportVerbsDependencies): readonly Operation[] {
  const { store, reports, publisher, now } = dependencies;
  const makePlan = createReportPlanner({ store, now });

  /**
   * Checks the capacity before a report is resumed, because other reports may have used it up during
   * the pause.
   */
  async function assertItsCapacity({ teamId, id, timing, content }: Report, context: OperationContext) {
    const others = (await store.list(teamId)).filter((other) => other.id !== id);
    const plan = { timing, content: reportContent.parse(content) };
    const problem = findCapacityProblem(plan, others, await context.quotaUsage());
    if (problem !== undefined) throw new RackhandError('input_invalid', `${problem}.`);
  }

  return createPlanOperations<Report, ReturnType<typeof editArguments>, PlannedReport>({
    kind: 'report',
    store,
    nameArgument: reportArgument(reports),
    rights: { view: 'view', change: 'operate' },
    now,
    firstSteps: ({ name }) => [runNowStep(name)],
    list: {
      columns: ['Next', 'Schedule', 'About'],
      async format(_, context) {
        const labelVps = createVpsLabeler(await loadVpsLabels(context));
        return (report) => ({
          cells: [formatNext(report), formatWhen(report.timing), labelVps(formatScope(report))],
          notes: pauseNotes(report, 'report'),
        });
      },
    },
    async show(report, context) {
      const { state, createdBy, createdMs, lastFinishedDueMs } = report;
      const labelVps = createVpsLabeler(await loadVpsLabels(context));
      const afterMs = state.kind === 'active' ? findNextTimesAfter(report, now()) : undefined;
      return {
        facts: [
          ...stateFacts(report),
          ...reportPlanFacts(report, {
            vpsCount: await countSelected(report, context),
            labelVps,
            nowMs: afterMs,
          }),
          {
            label: 'Last report',
            value: lastFinishedDueMs === null ? 'not yet' : { kind: 'time', timeMs: lastFinishedDueMs },
          },
          { label: 'Created by', value: { kind: 'person', person: createdBy } },
          { label: 'Created', value: { kind: 'time', timeMs: createdMs } },
        ],
      };
    },
    beforeResume: assertItsCapacity,
    afterResume: async ({ timing }) => nextTimeFacts(timing, now()),
    toPlanInput: toReportPlanInput,
    edit: {
      summary: 'Change the content, schedule or name of a report',
      arguments: editArguments(reports),
      preview: {
        dependsOn: timeArguments,
        isWhileTyping: true,
        build: (context, given) => previewWhen(context, given, { nowMs: now() }),
      },
      makePlan: (context, input, report) => makePlan(context, mergeChanges(report, input), report),
      async save(report, { plan, labelVps }, { actor }, _, once) {
        if (plan.channel !== report.channel)
          await once(plan.channel, () => postReportIntro(publisher, actor, plan));
        const edited = await store.edit(report, plan, now());
        return edited && formatEdited(report, edited, { nowMs: now(), labelVps });
      },
    },
  });
}

const runNowStep = (name: string): NextStep => ({
  label: 'Run Now',
  operation: 'report run',
  input: { name },
});

/** Returns the time after which the next times are listed. A time that was skipped isn't one of them. */
function findNextTimesAfter({ state, nextMs }: Report, nowMs: number): number {
  return state.kind !== 'active' || nextMs === null ? nowMs : Math.max(nowMs, nextMs - 1);
}

/** Returns how many VPS are currently selected, or undefined if the VPS can't be listed. */
async function countSelected({ content }: Report, context: OperationContext): Promise<number | undefined> {
  const { vps } = reportContent.parse(content);
  try {
    const { list, selected } = await selectVps(context, vps);
    return list.hasMore ? undefined : selected.length;
  } catch {
    // The plan can be shown even if the service can't be reached.
    return undefined;
  }
}

function stateFacts({ state, skippedSinceMs }: Report): readonly Fact[] {
  const missed: readonly Fact[] =
    skippedSinceMs === null
      ? []
      : [{ label: 'Missed since', value: { kind: 'time', timeMs: skippedSinceMs } }];
  if (state.kind !== 'paused') return missed;
  return [
    { label: 'Paused since', value: { kind: 'time', timeMs: state.sinceMs } },
    ...pauseFacts({ state }, 'report'),
    ...missed,
  ];
}

function formatScope({ content }: Report): string {
  const { about, vps } = reportContent.safeParse(content).data ?? { about: 'fleet', vps: '*' };
  return about === 'vps' ? `${vps} in depth` : formatPatterns(vps);
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
  after: Report,
  { nowMs, labelVps }: { readonly nowMs: number; readonly labelVps: LabelVps },
): Outcome {
  const facts = changedFacts(namedPlanFacts(before, labelVps), namedPlanFacts(after, labelVps));
  const { name, timing } = after;
  const isPaused = after.state.kind === 'paused';
  const next = [runNowStep(name), showStep('report', name), ...planSteps('report', after)];
  if (facts.length === 0) return { title: `Report "${name}" is unchanged`, next };
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
