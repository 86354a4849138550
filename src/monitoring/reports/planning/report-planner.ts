import { formatPatternsShort } from '../../../auth/vps-pattern.ts';
import type { OperationContext } from '../../../operations/define/operation.ts';
import type { LabelVps } from '../../../operations/format/label-vps.ts';
import { type PlanResult, type TakenName, uniqueName } from '../../../plans/plan-arguments.ts';
import { toWhenText } from '../../../time/parse-when.ts';
import { findPlanTarget, selectVps } from '../../shared/plan-target.ts';
import { findCapacityProblem } from '../capacity.ts';
import { defaultSummarySettings } from '../findings/thresholds.ts';
import type { Report, ReportPlan, ReportStore } from '../report.ts';
import { type PlanInput, parseReportPlan, type ReportContent, reportContent } from './report-plan.ts';

export interface ValidatedReportPlan extends ReportPlan {
  readonly content: ReportContent;
}

export interface PlannedReport {
  readonly plan: ValidatedReportPlan;
  readonly labelVps: LabelVps;
}

type ReportPlanResult = PlanResult<PlannedReport>;

/** Validates input. Returns a plan, or problems by field. Rejects if the VPS can't be listed. */
export type ReportPlanner = (
  context: Pick<OperationContext, 'actor' | 'origin' | 'read' | 'workspace' | 'timeZone' | 'quotaUsage'>,
  input: PlanInput,
  replaced?: Report,
) => Promise<ReportPlanResult>;

export interface ReportPlannerDependencies {
  readonly store: Pick<ReportStore, 'list' | 'listTakenNames'>;
  readonly now: () => number;
}

export function createReportPlanner({ store, now }: ReportPlannerDependencies): ReportPlanner {
  return async (context, input, replaced) => {
    const base = replaced ? reportContent.parse(replaced.content).settings : defaultSummarySettings;
    const reading = await parseReportPlan(context, input, base, now(), replaced?.timing);
    const { channel, others, taken, ...target } = await findPlanTarget(store, context, input, replaced);
    const problems = [...(reading.kind === 'valid' ? [] : reading.problems), ...target.problems];
    if (reading.kind === 'invalid' || channel === undefined || problems.length > 0)
      return { kind: 'invalid', problems };

    const { timing, content: scope } = reading.plan;
    const { list, selectedCount, listCalls, problem, labelVps } = await selectVps(context, scope.vps);
    if (problem !== undefined) return invalid(scope.about === 'vps' ? 'about' : 'vps', problem);
    const content = { ...scope, vpsCount: selectedCount, isEstimated: list.hasMore, listCalls };
    const capacityProblem = findCapacityProblem({ content, timing }, others, await context.quotaUsage());
    if (capacityProblem !== undefined) return invalid('when', capacityProblem);
    const name = input.name ?? defaultName({ content, timing }, taken);
    return { kind: 'valid', planned: { plan: { name, channel, timing, content }, labelVps } };
  };
}

function invalid(path: string, message: string): ReportPlanResult {
  return { kind: 'invalid', problems: [{ path, message }] };
}

function defaultName(
  { content: { about, vps }, timing }: Pick<ValidatedReportPlan, 'content' | 'timing'>,
  taken: readonly TakenName[],
): string {
  const subject = about === 'fleet' && vps === '*' ? 'Fleet' : formatPatternsShort(vps);
  const first = `${subject}, ${toWhenText(timing)}`.slice(0, 50);
  return uniqueName(first, taken);
}
