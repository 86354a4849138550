import type { Fact } from '../operations/outcome.ts';
import { patternWords } from '../workspaces/rights/patterns.ts';
import { type ReportContent, reportContent } from './content.ts';
import { describeNext, describeRecurrence } from './schedule/describe-recurrence.ts';
import type { Recurrence } from './schedule/recurrence.ts';
import type { ReportPlan } from './schedule/report.ts';
import { describeThresholds } from './summary/thresholds.ts';

const postWords: Readonly<Record<ReportContent['settings']['post'], string>> = {
  always: 'always',
  standsOut: 'only when something stands out, or could not be read',
  changed: 'only when something else stands out than before, or could not be read',
};

/** How a plan is told. */
interface Telling {
  /** How many VPS are meant now, where that is known better than when it was planned. */
  readonly vpsCount?: number | undefined;
  /** Where the next three times are told too. */
  readonly nowMs?: number | undefined;
}

/** Tells what is planned, and when that comes next. */
export function planFacts(plan: ReportPlan, { vpsCount, nowMs }: Telling = {}): readonly Fact[] {
  const { channel, recurrence } = plan;
  const { settings, ...scope } = reportContent.parse(plan.content);
  return [
    { label: 'Comes', value: describeRecurrence(recurrence) },
    ...(nowMs === undefined ? [] : nextFacts(recurrence, nowMs)),
    { label: 'Channel', value: { channel } },
    scopeFact(scope, vpsCount),
    { label: 'Posted', value: postWords[settings.post] },
    { label: 'What stands out', value: describeThresholds(settings) },
  ];
}

function scopeFact(
  { about, vps, vpsCount: before }: Omit<ReportContent, 'settings'>,
  vpsCount: number | undefined,
): Fact {
  if (about === 'vps') {
    return { label: 'VPS', value: `${vps}, in depth${vpsCount === 0 ? '; it is not there now' : ''}` };
  }
  const count = vpsCount === undefined ? `${before} when it was planned` : `${vpsCount} now`;
  return { label: 'VPS', value: `${patternWords(vps)} (${count})` };
}

/** Tells the next three times. */
export function nextFacts(recurrence: Recurrence, nowMs: number): readonly Fact[] {
  return describeNext(recurrence, nowMs).map(
    (at, index): Fact => ({ label: index === 0 ? 'Next' : 'Then', value: at }),
  );
}
