import { z } from 'zod';
import { formatPatterns } from '../../../auth/vps-pattern.ts';
import { vpsChoices, vpsReferenceSchema } from '../../../operations/choices/sources/vps.ts';
import {
  type Argument,
  channelArgument,
  type InputOf,
} from '../../../operations/define/arguments/argument.ts';
import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import { keywordControl, keywordSchema } from '../../../operations/define/arguments/keyword.ts';
import { optionalArgument, requiredInForm } from '../../../operations/define/arguments/optional-argument.ts';
import type { FieldProblem } from '../../../operations/define/arguments/raw-input.ts';
import type { OperationContext } from '../../../operations/define/operation.ts';
import type { Fact } from '../../../operations/define/outcome.ts';
import { type LabelVps, labelFacts } from '../../../operations/format/label-vps.ts';
import { planArgument, planNameSchema } from '../../../plans/plan-arguments.ts';
import { formatNextTimes, formatWhen } from '../../../time/format-when.ts';
import { toWhenText } from '../../../time/parse-when.ts';
import { toQuietHoursText } from '../../../time/quiet-hours.ts';
import { shortestIntervalMs } from '../../../time/timetable.ts';
import { dayMs } from '../../../time/units.ts';
import type { When } from '../../../time/when.ts';
import { vpsPatternArgument } from '../../shared/vps-selection.ts';
import { quietArgument, readWhen, whenArgument, zoneArgument } from '../../shared/when-arguments.ts';
import {
  defaultSummarySettings,
  formatThresholds,
  parseThresholds,
  type SummarySettings,
  summarySettings,
  thresholdsExample,
  toThresholdsInput,
} from '../findings/thresholds.ts';
import type { Report, ReportPlan } from '../report.ts';

/** The stored content of a report: its scope and settings. */
export const reportContent = z.object({
  /** Whether the report summarizes a fleet or examines one VPS in depth. */
  about: z.enum(['fleet', 'vps']).default('fleet'),
  /** Space-separated VPS names and patterns; `*` matches any characters. */
  vps: z.string().min(1),
  settings: summarySettings,
  /** How many VPS were selected when the report was planned. Determines the first occurrence's lead time. */
  vpsCount: z.int().nonnegative(),
  /** Whether `vpsCount` is an estimate, because the VPS list wasn't read in full. */
  isEstimated: z.boolean().default(false),
  /** How many calls the VPS list took when the report was planned. */
  listCalls: z.int().positive().default(1),
});

export type ReportContent = z.infer<typeof reportContent>;

/**
 * Returns the length of the reported period in ms: a day, a week or 30 days, depending on how often the report runs.
 */
export function reportPeriodMs(timing: When): number {
  const everyMs = shortestIntervalMs(timing) ?? 0;
  if (everyMs < 2 * dayMs) return dayMs;
  return everyMs < 20 * dayMs ? 7 * dayMs : 30 * dayMs;
}

export const reportVpsArgument: typeof vpsPatternArgument = { ...vpsPatternArgument, flag: 'vps' };

export const aboutArgument = optionalArgument(
  {
    label: 'VPS in depth',
    example: 'VPS-10001',
    flag: 'about',
    valueName: 'vps',
    hint: 'One VPS, with its CPU, memory, disk and network.',
    control: { kind: 'remote', source: vpsChoices },
  },
  vpsReferenceSchema,
);

export function reportArgument(reports: ChoiceSource): Argument<string> {
  return planArgument('report', 'Fleet, daily', reports);
}

export function optionalReportArgument(reports: ChoiceSource): Argument<string | undefined> {
  return optionalArgument(reportArgument(reports), planNameSchema('report'));
}

const whatTexts = { fleet: 'A summary of the fleet', vps: 'One VPS in depth' } as const;

const postTexts = {
  always: 'Always',
  findings: 'When there are findings',
  change: 'When the findings have changed',
} as const;

const maxChars = 400;

const text = z
  .string()
  .trim()
  .max(maxChars, { error: `Use at most ${maxChars} characters` });

const thresholds = text.superRefine((written, context) => {
  const read = parseThresholds(written, defaultSummarySettings);
  if (read.kind === 'invalid') context.addIssue({ code: 'custom', message: read.problem });
});

const whatArgument = optionalArgument(
  {
    label: 'What',
    example: 'fleet',
    flag: 'what',
    hint: 'fleet, or vps (with --about). Default: vps if --about is given, otherwise fleet.',
    fieldHint: '',
    control: keywordControl(whatTexts),
    initial: 'fleet',
  },
  keywordSchema(whatTexts, 'Choose fleet or vps'),
);

export const planArguments = {
  when: whenArgument('point'),
  zone: zoneArgument,
  channel: channelArgument({
    label: 'Channel',
    example: '#ops',
    flag: 'channel',
    hint: 'Where to post the report. Default: the current channel.',
    fieldHint: 'Where to post the report.',
  }),
  what: whatArgument,
  vps: { ...reportVpsArgument, shownWhen: { argument: 'what', choices: ['fleet'] } },
  about: requiredInForm({ ...aboutArgument, shownWhen: { argument: 'what', choices: ['vps'] } }),
  post: optionalArgument(
    {
      label: 'When to post',
      example: 'findings',
      flag: 'post',
      valueName: 'when',
      hint: 'always, findings (only if there are any), or change (only when the findings have changed).',
      fieldHint: "If something couldn't be read, the report is always posted.",
      control: keywordControl(postTexts),
      initial: 'always',
    },
    keywordSchema(postTexts, 'Choose always, findings or change'),
  ),
  thresholds: optionalArgument(
    {
      label: 'Thresholds',
      example: `"${thresholdsExample}"`,
      flag: 'thresholds',
      valueName: 'thresholds',
      control: { kind: 'text', isMultiline: true },
      hint: `Thresholds that flag a VPS. The ones you leave out stay as they are; "memory off" disables one.`,
      initial: toThresholdsInput(defaultSummarySettings),
    },
    thresholds,
  ),
  quiet: quietArgument,
  name: optionalArgument(
    {
      label: 'Name',
      example: '"Fleet, daily"',
      flag: 'name',
      hint: 'Default: the VPS and the times, such as Fleet, daily 09:00.',
    },
    planNameSchema('report'),
  ),
} as const;

export type PlanInput = InputOf<typeof planArguments>;

/** A parsed plan that hasn't been checked against the account. */
export interface ParsedReportPlan {
  readonly timing: When;
  readonly content: Omit<ReportContent, 'vpsCount' | 'isEstimated' | 'listCalls'>;
}

export type ParseReportPlanResult =
  | { readonly kind: 'valid'; readonly plan: ParsedReportPlan }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] };

const postValues = { always: 'always', findings: 'standsOut', change: 'changed' } as const;

/** Parses a plan. Each problem names its field. `settings` provides the thresholds that the input leaves out. */
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
    return [{ path: 'about', message: 'Choose which VPS to report on' }];
  if (kind === 'vps' && what === 'fleet')
    return [{ path: 'what', message: 'Report on the fleet or on one VPS, not both' }];
  if (kind === 'vps' && vps !== undefined)
    return [{ path: 'vps', message: 'An in-depth report covers one VPS: leave out --vps' }];
  return [];
}

const postKeywords = { always: 'always', standsOut: 'findings', changed: 'change' } as const;

/** Returns the input that would recreate the report. Used to prefill its form. */
export function toReportPlanInput({
  name,
  channel,
  timing,
  content,
}: Report): Readonly<Record<string, string>> {
  const { about, vps, settings } = reportContent.parse(content);
  const scope =
    about === 'vps' ? { what: 'vps', about: vps } : { what: 'fleet', ...(vps !== '*' && { vps }) };
  const words: Readonly<Record<string, string | undefined>> = {
    when: toWhenText(timing),
    zone: timing.zone,
    ...(timing.quiet && { quiet: toQuietHoursText(timing.quiet) }),
    channel,
    ...scope,
    post: postKeywords[settings.post],
    thresholds: toThresholdsInput(settings),
    name,
  };
  return Object.fromEntries(
    Object.entries(words).flatMap(([field, word]) => (word === undefined ? [] : [[field, word]])),
  );
}

const postFacts: Readonly<Record<ReportContent['settings']['post'], string>> = {
  always: 'always',
  standsOut: "only if there are findings, or something couldn't be read",
  changed: "only if the findings have changed, or something couldn't be read",
};

interface PlanFactsOptions {
  /** How many VPS are currently selected, if known. */
  readonly vpsCount?: number | undefined;
  readonly nowMs?: number | undefined;
  readonly labelVps?: LabelVps;
}

/** Returns facts about a plan, including its next three times if `nowMs` is set. */
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
    { label: 'Posted', value: postFacts[settings.post] },
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
  // If no VPS on the pages read matches, there is nothing from which to extrapolate a count.
  if (vpsCount === undefined && isEstimated && before === 0)
    return { label: 'VPS', value: formatPatterns(vps) };
  const planned = `${isEstimated ? 'about ' : ''}${before} when it was scheduled`;
  return {
    label: 'VPS',
    value: `${formatPatterns(vps)} (${vpsCount === undefined ? planned : `${vpsCount} now`})`,
  };
}

export function nextTimeFacts(timing: When, nowMs: number): readonly Fact[] {
  return formatNextTimes(timing, nowMs).map(
    (at, index): Fact => ({ label: index === 0 ? 'Next' : 'Then', value: at }),
  );
}
