import type { FieldProblem } from '../../../operations/define/arguments/raw-input.ts';
import type { OperationContext } from '../../../operations/define/operation.ts';
import type { When } from '../../../time/when.ts';
import { readWhen } from '../../shared/when-arguments.ts';
import type { SummarySettings } from '../findings/summary-settings.ts';
import { parseThresholds } from '../findings/thresholds.ts';
import type { PlanInput } from './plan-arguments.ts';
import type { ReportContent } from './report-content.ts';

/** A plan that was parsed from text but not checked against the account. */
export interface ParsedReportPlan {
  readonly timing: When;
  readonly content: Omit<ReportContent, 'vpsCount' | 'isEstimated' | 'listCalls'>;
}

export type ParseReportPlanResult =
  | { readonly kind: 'valid'; readonly plan: ParsedReportPlan }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] };

const postValues = { always: 'always', findings: 'standsOut', change: 'changed' } as const;

/** Parses a plan. Each problem names its field. `settings` are the default thresholds. */
export async function parseReportPlan(
  context: Pick<OperationContext, 'timeZone'>,
  input: PlanInput,
  settings: SummarySettings,
  nowMs: number,
  kept?: When,
): Promise<ParseReportPlanResult> {
  const read = await readWhen(context, input, { nowMs, kept });
  const thresholds = parseThresholds(input.thresholds ?? '', settings);
  const about = input.about !== undefined || input.what === 'vps' ? 'vps' : 'fleet';
  const problems: readonly FieldProblem[] = [
    ...(read.kind === 'valid' ? [] : read.problems),
    ...(thresholds.kind === 'valid' ? [] : [{ path: 'thresholds', message: thresholds.problem }]),
    ...scopeProblems(input, about),
  ];
  if (read.kind === 'invalid' || thresholds.kind === 'invalid' || problems.length > 0)
    return { kind: 'invalid', problems };
  const vps = about === 'vps' ? (input.about ?? '') : (input.vps ?? '*');
  const post = postValues[input.post ?? 'always'];
  const content = { about, vps, settings: { ...thresholds.settings, post } } as const;
  return { kind: 'valid', plan: { timing: read.when, content } };
}

function scopeProblems(
  { vps, about, what }: PlanInput,
  kind: ReportContent['about'],
): readonly FieldProblem[] {
  if (kind === 'vps' && about === undefined)
    return [{ path: 'about', message: 'Choose the VPS to report on' }];
  if (kind === 'vps' && what === 'fleet')
    return [{ path: 'what', message: 'Report on the fleet or on one VPS, not both' }];
  if (kind === 'vps' && vps !== undefined)
    return [{ path: 'vps', message: 'An in-depth report covers one VPS: leave out --vps' }];
  return [];
}
