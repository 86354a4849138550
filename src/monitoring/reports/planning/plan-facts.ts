import { formatPatterns } from '../../../auth/vps-pattern.ts';
import type { Fact } from '../../../operations/define/outcome.ts';
import { type LabelVps, labelFacts } from '../../../operations/format/label-vps.ts';
import { formatNextTimes, formatWhen } from '../../../time/format-when.ts';
import type { When } from '../../../time/when.ts';
import { formatThresholds } from '../findings/thresholds.ts';
import type { ReportPlan } from '../report.ts';
import { type ReportContent, reportContent } from './report-content.ts';

const postTexts: Readonly<Record<ReportContent['settings']['post'], string>> = {
  always: 'always',
  standsOut: "only if there are findings, or something couldn't be read",
  changed: "only if the findings have changed, or something couldn't be read",
};

interface PlanFactsOptions {
  /** How many VPS are currently selected, if known. */
  readonly vpsCount?: number | undefined;
  /** If set, the next three times are included. */
  readonly nowMs?: number | undefined;
  readonly labelVps?: LabelVps;
}

/** Returns the facts of a plan, including its next times. */
export function reportPlanFacts(
  plan: ReportPlan,
  { vpsCount, nowMs, labelVps = (text) => text }: PlanFactsOptions = {},
): readonly Fact[] {
  const { channel, timing } = plan;
  const { settings, ...scope } = reportContent.parse(plan.content);
  return [
    { label: 'Schedule', value: formatWhen(timing) },
    ...(nowMs === undefined ? [] : nextTimeFacts(timing, nowMs)),
    { label: 'Channel', value: { kind: 'channel', channel } },
    ...labelFacts([scopeFact(scope, vpsCount)], labelVps),
    { label: 'Posted', value: postTexts[settings.post] },
    { label: 'Thresholds', value: formatThresholds(settings) },
  ];
}

function scopeFact(
  { about, vps, vpsCount: before, isEstimated }: Omit<ReportContent, 'settings'>,
  vpsCount: number | undefined,
): Fact {
  if (about === 'vps') {
    return { label: 'VPS', value: `${vps}, in depth${vpsCount === 0 ? "; it doesn't exist now" : ''}` };
  }
  // If no VPS matches on the pages that were read, the number on the others can't be estimated.
  if (vpsCount === undefined && isEstimated && before === 0)
    return { label: 'VPS', value: formatPatterns(vps) };
  const planned = `${isEstimated ? 'about ' : ''}${before} when it was scheduled`;
  return {
    label: 'VPS',
    value: `${formatPatterns(vps)} (${vpsCount === undefined ? planned : `${vpsCount} now`})`,
  };
}

/** Returns the next three times as facts. */
export function nextTimeFacts(timing: When, nowMs: number): readonly Fact[] {
  return formatNextTimes(timing, nowMs).map(
    (at, index): Fact => ({ label: index === 0 ? 'Next' : 'Then', value: at }),
  );
}
