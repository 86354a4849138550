import { z } from 'zod';
import { formatDuration } from '../../../charts/format/format-quantity.ts';
import { parseDurationMs } from '../../../time/duration.ts';
import { minuteMs } from '../../../time/units.ts';

const percentOrOff = z.union([z.literal(0), z.number().min(1).max(99)]);

/** A report's thresholds. 0 disables a threshold. The state check can't be disabled. */
export const summarySettings = z.object({
  /** CPU must stay at or above this percentage for `cpuMinutes`. */
  cpuPercent: percentOrOff.default(90),
  cpuMinutes: z.int().min(1).max(10_080).default(60),
  memoryPercent: percentOrOff.default(95),
  memoryMinutes: z.int().min(1).max(10_080).default(60),
  diskPercent: percentOrOff.default(90),
  /** A disk that is expected to be full within this many days is a finding. */
  diskFullDays: z.number().min(0).max(90).default(7),
  /** How many percentage points CPU must be above or below every value at the same hours on previous days. */
  changePoints: z.number().min(0).max(100).default(25),
  /** How many times higher or lower traffic must be than every value at the same hours on previous days. */
  trafficTimes: z.number().min(0).max(1_000).default(5),
  /** The service's names for states in which nothing is wrong. Case-insensitive. */
  goodStates: z
    .array(z.string().trim().min(1).max(60))
    .min(1)
    .max(20)
    .default(['running', 'online', 'active', 'up', 'started', 'ok', 'ready', 'on', 'healthy', 'powered_on']),
  /** When to post: always, only if there are findings, or only if they have changed. */
  post: z.enum(['always', 'standsOut', 'changed']).default('always'),
});

export type SummarySettings = z.infer<typeof summarySettings>;

/** Parsed with `jitless`, because Zod would otherwise spend 1 ms compiling the schema at startup. */
export const defaultSummarySettings: SummarySettings = summarySettings.parse({}, { jitless: true });

export const thresholdsExample = 'cpu 90% 1h, memory 95%, disk 90%, full in 7d';

export type ParseThresholdsResult =
  | { readonly kind: 'valid'; readonly settings: SummarySettings }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Parses one threshold. Returns the changed settings, or undefined if the text is about another threshold. */
type ThresholdParser = (text: string) => ParsedThreshold | undefined;

type ParsedThreshold =
  | { readonly kind: 'valid'; readonly settings: Partial<SummarySettings> }
  | { readonly kind: 'invalid'; readonly problem: string };

/** In the order in which thresholds are formatted. */
const thresholdParsers: readonly ThresholdParser[] = [
  sustained('cpu', /^cpu\b/i, 'cpuPercent', 'cpuMinutes'),
  sustained('memory', /^(?:memory|mem|ram)\b/i, 'memoryPercent', 'memoryMinutes'),
  numeric(
    /^disk\b(?!.*full)/i,
    /^(\d+(?:\.\d+)?)\s*%?$/,
    'diskPercent',
    'For disk, give a percentage from 1 to 99, or off, such as disk 90%',
  ),
  numeric(
    /^(?:disk\s+)?full\b/i,
    /^(?:in|within)?\s*(\d+(?:\.\d+)?)\s*(?:d|days?)$/i,
    'diskFullDays',
    'Give a number of days from 1 to 90, such as full in 7d, or full off',
  ),
  numeric(
    /^change\b/i,
    /^(?:of|by)?\s*(\d+(?:\.\d+)?)\s*(?:%|points?)?$/i,
    'changePoints',
    'Give a change of CPU in percentage points, from 1 to 100, such as change 25, or change off',
  ),
  numeric(
    /^traffic\b/i,
    /^(\d+(?:\.\d+)?)\s*(?:x|×|times)?$/i,
    'trafficTimes',
    'Give a multiple of the usual traffic, such as traffic 5x, or traffic off',
  ),
];

/**
 * Parses comma-separated thresholds: `cpu 90% 1h, memory 95%, disk 90%, full in 7d, change 25, traffic 5x`. Thresholds
 * that the text leaves out keep their value from `base`.
 */
export function parseThresholds(text: string, base: SummarySettings): ParseThresholdsResult {
  let settings = base;
  for (const part of text.split(/[,;\n]/).map((one) => one.trim())) {
    if (part === '') continue;
    const read = thresholdParsers.map((reader) => reader(part)).find((one) => one !== undefined);
    if (read === undefined)
      return { kind: 'invalid', problem: `Unknown threshold "${part}". Example: ${thresholdsExample}` };
    if (read.kind === 'invalid') return { kind: 'invalid', problem: `${read.problem}, not "${part}"` };
    settings = { ...settings, ...read.settings };
  }
  return { kind: 'valid', settings };
}

function sustained(
  name: string,
  head: RegExp,
  percentOf: 'cpuPercent' | 'memoryPercent',
  minutesOf: 'cpuMinutes' | 'memoryMinutes',
): ThresholdParser {
  return (text) => {
    if (!head.test(text)) return undefined;
    const wrong = `${name === 'cpu' ? 'CPU' : 'Memory'} needs a percentage from 1 to 99 and a duration from 1 min to 7 d, or off, such as ${name} 90% 1h`;
    if (isOff(valueText(text, head))) return check({ [percentOf]: 0 }, wrong);
    const match = /^(\d+(?:\.\d+)?)\s*%?(?:\s+(?:for\s+)?(.+))?$/i.exec(valueText(text, head));
    if (!match) return { kind: 'invalid', problem: wrong };
    const [, percent, lasting] = match;
    const minutes = lasting === undefined ? undefined : parseMinutes(lasting);
    if (lasting !== undefined && minutes === undefined) return { kind: 'invalid', problem: wrong };
    return check(
      { [percentOf]: Number(percent), ...(minutes !== undefined && { [minutesOf]: minutes }) },
      wrong,
    );
  };
}

function parseMinutes(text: string): number | undefined {
  const lengthMs = parseDurationMs(text);
  return lengthMs === undefined ? undefined : Math.round(lengthMs / minuteMs);
}

function numeric(head: RegExp, form: RegExp, field: keyof SummarySettings, wrong: string): ThresholdParser {
  return (text) => {
    if (!head.test(text)) return undefined;
    const rest = valueText(text, head);
    return check({ [field]: isOff(rest) ? 0 : Number(form.exec(rest)?.[1] ?? Number.NaN) }, wrong);
  };
}

/** Returns the text after the threshold's name, without words such as "over". */
function valueText(text: string, head: RegExp): string {
  return text
    .replace(head, '')
    .trim()
    .replace(/^(?:[>≥]=?|over|above|at least)\s*/i, '');
}

function isOff(rest: string): boolean {
  return /^off$/i.test(rest);
}

function check(settings: Partial<SummarySettings>, problem: string): ParsedThreshold {
  return summarySettings.safeParse(settings).success
    ? { kind: 'valid', settings }
    : { kind: 'invalid', problem };
}

/** Formats all thresholds as `parseThresholds` accepts them. */
export function toThresholdsInput(settings: SummarySettings): string {
  const { cpuPercent, cpuMinutes, memoryPercent, memoryMinutes, diskPercent } = settings;
  const { diskFullDays, changePoints, trafficTimes } = settings;
  return [
    `cpu ${cpuPercent === 0 ? 'off' : `${cpuPercent}% ${toMinutesInput(cpuMinutes)}`}`,
    `memory ${memoryPercent === 0 ? 'off' : `${memoryPercent}% ${toMinutesInput(memoryMinutes)}`}`,
    `disk ${diskPercent === 0 ? 'off' : `${diskPercent}%`}`,
    `full ${diskFullDays === 0 ? 'off' : `in ${diskFullDays}d`}`,
    `change ${changePoints === 0 ? 'off' : changePoints}`,
    `traffic ${trafficTimes === 0 ? 'off' : `${trafficTimes}x`}`,
  ].join(', ');
}

function toMinutesInput(minutes: number): string {
  const days = Math.floor(minutes / 1_440);
  const hours = Math.floor((minutes % 1_440) / 60);
  const parts = [
    [days, 'd'],
    [hours, 'h'],
    [minutes % 60, 'm'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : [])).join(' ');
}

/** Formats the thresholds for display: `CPU from 90% for 1 h; …`. */
export function formatThresholds(settings: SummarySettings): string {
  const { cpuPercent, cpuMinutes, memoryPercent, memoryMinutes, diskPercent } = settings;
  const { diskFullDays, changePoints, trafficTimes } = settings;
  const diskWords = [
    ...(diskPercent === 0 ? [] : [`from ${diskPercent}%`]),
    ...(diskFullDays === 0 ? [] : [`full within ${diskFullDays} d`]),
  ];
  return [
    ...(cpuPercent === 0 ? [] : [`CPU from ${cpuPercent}% for ${formatDuration(cpuMinutes * minuteMs)}`]),
    ...(memoryPercent === 0
      ? []
      : [`memory from ${memoryPercent}% for ${formatDuration(memoryMinutes * minuteMs)}`]),
    ...(diskWords.length === 0 ? [] : [`disk ${diskWords.join(', or ')}`]),
    ...(changePoints === 0 ? [] : [`CPU ${changePoints} points above or below its usual level`]),
    ...(trafficTimes === 0 ? [] : [`${trafficTimes} times the usual traffic`]),
    'any bad state',
  ].join('; ');
}
