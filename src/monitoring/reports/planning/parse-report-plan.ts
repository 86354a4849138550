import type { FieldProblem } from '../../../operations/define/arguments/raw-input.ts';
import type { SummarySettings } from '../findings/summary-settings.ts';
import { parseThresholds } from '../findings/thresholds.ts';
import { type ParseRecurrenceResult, parseRecurrence } from '../schedule/parse-recurrence.ts';
import type { Recurrence } from '../schedule/recurrence.ts';
import type { PlanInput } from './plan-arguments.ts';
import type { ReportContent } from './report-content.ts';

/** A plan that was parsed from text but not checked against the account. */
export interface ParsedReportPlan {
  readonly recurrence: Recurrence;
  readonly content: Omit<ReportContent, 'vpsCount' | 'isEstimated' | 'listCalls'>;
}

export type ParseReportPlanResult =
  | { readonly kind: 'valid'; readonly plan: ParsedReportPlan }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] };

const postValues = { always: 'always', findings: 'standsOut', change: 'changed' } as const;

type Every = NonNullable<PlanInput['every']>;

/**
 * Fields that fit only one kind of recurrence. With another kind they are an error, because they
 * would otherwise be ignored silently.
 */
const requiredEvery = { days: 'weekly', day: 'monthly', cron: 'cron' } as const satisfies Partial<
  Record<keyof PlanInput, Every>
>;

/** Parses the schedule and fills in defaults. `timeZone` is the person's time zone. */
export function parseSchedule(
  { every, at, days, day, cron, zone, quiet }: { readonly [Field in ScheduleField]?: string | undefined },
  timeZone: string,
  nowMs: number,
): ParseRecurrenceResult {
  const written = {
    every,
    at: at || '09:00',
    days: days || 'mon',
    day: day || '1',
    cron,
    zone: zone || timeZone,
    quiet,
  };
  return parseRecurrence(written, nowMs);
}

type ScheduleField = 'every' | 'at' | 'days' | 'day' | 'cron' | 'zone' | 'quiet';

/** Parses a plan. Each problem names its field. `settings` are the default thresholds. */
export function parseReportPlan(
  input: PlanInput,
  settings: SummarySettings,
  timeZone: string,
  nowMs: number,
): ParseReportPlanResult {
  const schedule = parseSchedule(input, timeZone, nowMs);
  const thresholds = parseThresholds(input.thresholds ?? '', settings);
  const about = input.about !== undefined || input.what === 'vps' ? 'vps' : 'fleet';
  const problems: readonly FieldProblem[] = [
    ...misplacedArguments(input),
    ...(schedule.kind === 'valid' ? [] : schedule.problems),
    ...(thresholds.kind === 'valid' ? [] : [{ path: 'thresholds', message: thresholds.problem }]),
    ...scopeProblems(input, about),
  ];
  if (schedule.kind === 'invalid' || thresholds.kind === 'invalid' || problems.length > 0)
    return { kind: 'invalid', problems };
  const vps = about === 'vps' ? (input.about ?? '') : (input.vps ?? '*');
  const post = postValues[input.post ?? 'always'];
  const content = { about, vps, settings: { ...thresholds.settings, post } } as const;
  return { kind: 'valid', plan: { recurrence: schedule.recurrence, content } };
}

function misplacedArguments(input: PlanInput): readonly FieldProblem[] {
  const entries = Object.entries(requiredEvery).flatMap(([path, every]) => {
    const isGiven = Object.entries(input).some(([name, value]) => name === path && value !== undefined);
    return isGiven && every !== input.every
      ? [{ path, message: `--${path} only works with ${everyTexts[every]}` }]
      : [];
  });
  const isLost = input.every === 'cron' && input.at !== undefined;
  return isLost ? [...entries, { path: 'at', message: 'A cron expression contains its own times' }] : entries;
}

const everyTexts = { weekly: 'weekly', monthly: 'monthly', cron: 'cron' } as const;

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
