import { formatPatterns } from '../../../auth/vps-pattern.ts';
import { RackhandError } from '../../../errors.ts';
import { loadVpsLabels } from '../../../operations/choices/sources/vps-labels.ts';
import type { InputOf } from '../../../operations/define/arguments/argument.ts';
import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import type { Operation, OperationContext } from '../../../operations/define/operation.ts';
import type { Fact, NextStep, Outcome } from '../../../operations/define/outcome.ts';
import { createVpsLabeler, type LabelVps } from '../../../operations/format/label-vps.ts';
import { applyChanges, createEditArguments, type EditArgumentsOf } from '../../../plans/plan-arguments.ts';
import { changedFacts, createPlanOperations } from '../../../plans/plan-operations.ts';
import { formatNext, planSteps, showStep } from '../../../plans/plan-words.ts';
import { formatWhen } from '../../../time/format-when.ts';
import type { ChannelPublisher } from '../../shared/channel-publisher.ts';
import { pauseFacts, pauseNotes } from '../../shared/pauses/pauses.ts';
import { selectVps } from '../../shared/plan-target.ts';
import { whenPreview } from '../../shared/when-arguments.ts';
import { findCapacityProblem } from '../capacity.ts';
import {
  nextTimeFacts,
  type PlanInput,
  planArguments,
  reportArgument,
  reportContent,
  reportPlanFacts,
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

type EditInput = InputOf<EditArgumentsOf<typeof planArguments>>;

export function createReportVerbs(dependencies: ReportVerbsDependencies): readonly Operation[] {
  const { store, reports, publisher, now } = dependencies;
  const makePlan = createReportPlanner({ store, now });

  /** Checks the capacity before a report is resumed, because other reports may have used up the capacity since. */
  async function assertItsCapacity({ teamId, id, timing, content }: Report, context: OperationContext) {
    const others = (await store.list(teamId)).filter((other) => other.id !== id);
    const plan = { timing, content: reportContent.parse(content) };
    const problem = findCapacityProblem(plan, others, await context.quotaUsage());
    if (problem !== undefined) throw new RackhandError('input_invalid', `${problem}.`);
  }

  return createPlanOperations<Report, EditArgumentsOf<typeof planArguments>, PlannedReport>({
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
      arguments: createEditArguments(reportArgument(reports), planArguments, { when: 'when' }),
      preview: { ...whenPreview(now), dependsOn: ['when', 'zone', 'quiet'] },
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

/** Returns the time after which the next occurrences are listed, so that skipped ones are left out. */
function findNextTimesAfter({ state, nextMs }: Report, nowMs: number): number {
  return state.kind !== 'active' || nextMs === null ? nowMs : Math.max(nowMs, nextMs - 1);
}

/** Returns how many VPS are selected, or undefined if the VPS can't be listed. */
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

/** Applies the changes to the current plan. A new scope replaces all scope fields. */
function mergeChanges(report: Report, changes: EditInput): PlanInput {
  const scope = ['what', 'vps', 'about'] as const;
  const isScopeOther = scope.some((field) => typeof changes[field] === 'string');
  return applyChanges(planArguments, toReportPlanInput(report), changes, isScopeOther ? scope : []);
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
    notes: isPaused ? ['The report is paused. Resume it to get reports again.'] : [],
    next,
  };
}

function namedPlanFacts(plan: ReportPlan, labelVps: LabelVps): readonly Fact[] {
  return [{ label: 'Name', value: plan.name }, ...reportPlanFacts(plan, { labelVps })];
}
