import { z } from 'zod';
import { formatDuration, formatPercent, formatRate } from '../../charts/format/format-quantity.ts';
import { bytesPerSecondPerUnit } from '../../hosting/payloads/quantity.ts';
import type { RawInput } from '../../operations/define/arguments/raw-input.ts';
import { minuteMs } from '../../time/units.ts';

export const maxForMs = 24 * 60 * minuteMs;

const forMs = z.int().min(0).max(maxForMs);

/** The measures in percent. Traffic is incoming plus outgoing, in bytes per second. */
export const percentMeasures = ['cpu', 'memory', 'disk'] as const;

/** A watch's stored condition: a figure beyond a threshold, or a state, for some time. */
export const condition = z.discriminatedUnion('measure', [
  z.object({
    measure: z.enum([...percentMeasures, 'traffic']),
    is: z.enum(['over', 'under']),
    figure: z.number().positive(),
    forMs,
  }),
  z.object({
    measure: z.literal('state'),
    is: z.enum(['is', 'is not']),
    /** The service's name for the state. Case-insensitive. */
    state: z.string().min(1),
    forMs,
  }),
]);

export type Condition = z.infer<typeof condition>;

export type MetricCondition = Exclude<Condition, { measure: 'state' }>;

/**
 * How far back from its threshold a figure must be to count as recovered: a tenth of the threshold, at most 5
 * percentage points. This keeps a figure that fluctuates around the threshold from alerting repeatedly.
 */
const hysteresisShare = 0.1;
const maxHysteresisPoints = 5;

/** How many recovered readings in a row end an alert. `formatRecovery` spells this number out. */
export const recoveryReadings = 2;

/** Returns the figure at which an alert ends: below an upper threshold, above a lower one. */
export function recoveryThreshold({ measure, is, figure }: MetricCondition): number {
  if (measure === 'traffic') return figure * (is === 'over' ? 1 - hysteresisShare : 1 + hysteresisShare);
  const margin = Math.min(maxHysteresisPoints, figure * hysteresisShare);
  // At most half the distance to 100%. With a larger margin, an alert might never end.
  return is === 'over' ? figure - margin : figure + Math.min(margin, Math.max(0, 100 - figure) / 2);
}

const measureNames: Readonly<Record<Condition['measure'], string>> = {
  cpu: 'CPU',
  memory: 'memory',
  disk: 'disk',
  traffic: 'traffic',
  state: 'state',
};

export function measureName({ measure }: Condition): string {
  return measureNames[measure];
}

const megabitBytes = 125_000;

/** Returns whether a traffic threshold was typed in bits. Its figures are then formatted in bits too. */
export function isInBits({ measure, figure }: MetricCondition): boolean {
  return measure === 'traffic' && Number.isInteger(figure / megabitBytes);
}

/** Formats a figure with its unit. A figure beyond the threshold never looks equal to the threshold. */
export function formatMetric(watched: Condition, figure: number): string {
  if (watched.measure === 'state') return String(figure);
  const text = formatFigure(watched, figure);
  const isBeyond = watched.is === 'over' ? figure > watched.figure : figure < watched.figure;
  return isBeyond && text === formatFigure(watched, watched.figure) ? `just ${watched.is} ${text}` : text;
}

function formatFigure(watched: MetricCondition, figure: number): string {
  if (isInBits(watched)) return `${Number((figure / megabitBytes).toPrecision(3))} Mbit/s`;
  return watched.measure === 'traffic' ? formatRate(figure) : formatPercent(figure);
}

/** Formats the threshold without measure and duration: `over 90%`, `is not running`. */
export function formatThreshold(watched: Condition): string {
  if (watched.measure === 'state') return `${watched.is} ${watched.state}`;
  return `${watched.is} ${formatMetric(watched, watched.figure)}`;
}

/** Formats a condition, such as `CPU over 90% for 10 min`. */
export function formatCondition(watched: Condition): string {
  const lasting = watched.forMs === 0 ? '' : ` for ${formatDuration(watched.forMs)}`;
  return `${measureName(watched)} ${formatThreshold(watched)}${lasting}`;
}

/** Formats what ends an alert: `two checks in a row at 85% or less`. */
export function formatRecovery(watched: Condition): string {
  if (watched.measure === 'state')
    return `two checks in a row ${watched.is === 'is' ? 'in another state' : `in the state ${watched.state}`}`;
  const side = watched.is === 'over' ? 'less' : 'more';
  return `two checks in a row at ${formatMetric(watched, recoveryThreshold(watched))} or ${side}`;
}

const examples: Readonly<Record<MetricCondition['measure'], string>> = {
  cpu: 'For CPU, give a percentage, such as 90%',
  memory: 'For memory, give a percentage, such as 95%',
  disk: 'For disk, give a percentage, such as 85%',
  traffic: 'For traffic, give an amount per second, such as 50 MB/s or 400 Mbit/s',
};

/** 64 cores at 100% each, because some services count 100% per core. */
const maxCpuPercent = 6_400;

export type ParseThresholdResult =
  | { readonly kind: 'valid'; readonly figure: number }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Parses a measure's threshold, in percent or bytes per second. */
export function parseThreshold(
  { measure, is }: Pick<MetricCondition, 'measure' | 'is'>,
  written: string | undefined,
): ParseThresholdResult {
  const problem = examples[measure];
  const figure = written && (measure === 'traffic' ? parseRate(written) : parsePercent(written));
  if (figure === undefined || figure === '') return { kind: 'invalid', problem };
  if (figure <= 0) return { kind: 'invalid', problem: `The threshold must be more than 0. ${problem}` };
  const max = measure === 'cpu' ? maxCpuPercent : 100;
  if (measure !== 'traffic' && (figure > max || (measure !== 'cpu' && is === 'over' && figure === max)))
    return {
      kind: 'invalid',
      problem: `The threshold ${figure > max ? "can't exceed" : 'must be below'} ${max}%. ${problem}`,
    };
  return { kind: 'valid', figure };
}

function parsePercent(written: string): number | undefined {
  const [, number] = /^(\d{1,5}(?:[.,]\d{1,3})?)\s*(?:%|percent)?$/i.exec(written.trim()) ?? [];
  return number === undefined ? undefined : Number(number.replace(',', '.'));
}

const rate = /^(\d{1,12}(?:[.,]\d{1,3})?)\s*([a-z]+(?:\s*\/\s*s\w*)?)$/i;

function parseRate(written: string): number | undefined {
  const [, number, unit = ''] = rate.exec(written.trim()) ?? [];
  const factor = bytesPerSecondPerUnit(unit);
  return number === undefined || factor === undefined ? undefined : Number(number.replace(',', '.')) * factor;
}

const megabyteBytes = 2 ** 20;

export function toThresholdInput(watched: MetricCondition): string {
  const { measure, figure } = watched;
  if (measure !== 'traffic') return `${figure}%`;
  if (isInBits(watched)) return `${figure / megabitBytes} Mbit/s`;
  const megabytes = Number((figure / megabyteBytes).toFixed(3));
  // If the rounded value isn't exact, editing anything else would change the threshold.
  return megabytes * megabyteBytes === figure ? `${megabytes} MB/s` : `${Number(figure.toFixed(3))} B/s`;
}

export function toDurationInput({ forMs }: Pick<Condition, 'forMs'>): string {
  const isHours = forMs > 0 && forMs % (60 * minuteMs) === 0;
  if (isHours) return `${forMs / (60 * minuteMs)}h`;
  return forMs % minuteMs === 0 ? `${forMs / minuteMs}m` : `${forMs / 1_000}s`;
}

export const measures = ['cpu', 'memory', 'disk', 'traffic', 'state'] as const;

export const sides = ['over', 'under'] as const;

export const matches = ['is not', 'is'] as const;

type Measure = (typeof measures)[number];
type Side = (typeof sides)[number];
type Match = (typeof matches)[number];

const measureWords: Readonly<Record<Measure, RegExp>> = {
  cpu: /^(cpu|cpus|processor)$/i,
  memory: /^(memory|mem|ram)$/i,
  disk: /^(disk|storage)$/i,
  traffic: /^(traffic|network|net|bandwidth)$/i,
  state: /^(state|status)$/i,
};

const sideWords: Readonly<Record<Side, RegExp>> = {
  over: /^(?:is )?(>=?|≥|⩾|=>|above|over|more than|greater than|higher than|at least|exceeds)$/i,
  under: /^(?:is )?(<=?|≤|⩽|=<|below|under|less than|lower than|at most)$/i,
};

const matchWords: Readonly<Record<Match, RegExp>> = {
  'is not': /^(is not|isn't|not|!=|≠|<>)$/i,
  is: /^(is|=|==|becomes)$/i,
};

export function parseMeasure(written: string): Measure | undefined {
  return measures.find((measure) => measureWords[measure].test(written.trim()));
}

/** Parses the side of a threshold, such as `>`, `≥` or `above`. */
export function parseSide(written: string): Side | undefined {
  return sides.find((side) => sideWords[side].test(singleSpaced(written)));
}

/** Parses a comparison with a state: `is not`, `!=`, `is`. */
export function parseMatch(written: string): Match | undefined {
  return matches.find((match) => matchWords[match].test(singleSpaced(written)));
}

function singleSpaced(written: string): string {
  return written.trim().replace(/\s+/g, ' ');
}

const comparisonSearch =
  /^\s*((?:is\s+)?(?:>=?|≥|⩾|=>|<=?|≤|⩽|=<)|!=|≠|==?|(?:is\s+)?(?:more|greater|higher|less|lower) than\b|(?:is\s+)?at (?:least|most)\b|(?:is\s+)?(?:above|over|below|under)\b|exceeds\b|is not\b|isn't\b|not\b|is\b|becomes\b)\s*/i;

/** Matches VPS names and patterns, separated by spaces or commas. */
const vpsPatternList = /^(?:vps-|\*)[^\s,]*(?:[\s,]+(?:vps-|\*)[^\s,]*)*/i;

/**
 * Splits a typed condition, such as `VPS-100* cpu > 90% for 10m`, into fields. Unparsable text stays in its field, so
 * the error appears there.
 */
export function parseConditionText(typed: string): RawInput {
  const text = typed.trim().replace(/\s+/g, ' ');
  const first = vpsPatternList.exec(text)?.[0] ?? /^\S+/.exec(text)?.[0] ?? '';
  const startsWithMeasure = parseMeasure(leadingWord(first)) !== undefined;
  const vps = startsWithMeasure ? undefined : first;
  const rest = vps === undefined ? text : text.slice(vps.length).trim();
  const measure = leadingWord(rest);
  const after = rest.slice(measure.length);
  const compared = comparisonSearch.exec(after);
  const [sought = '', length] = splitLength(after.slice(compared?.[0].length ?? 0));
  const word = compared?.[1];
  const known = parseMeasure(measure);
  const entries = {
    vps: vps?.replace(/^(all|every|any)$/i, '*'),
    measure: known ?? measure,
    ...(known === 'state'
      ? { match: word && (parseMatch(word) ?? word), state: sought }
      : { is: word && (parseSide(word) ?? word), figure: sought }),
    lasts: length,
  };
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value]],
    ),
  );
}

/** Returns the first word, even if no space follows it, as in `cpu>90%`. */
function leadingWord(text: string): string {
  return /^[^\s<>=≥≤≠!⩾⩽]+/.exec(text)?.[0] ?? '';
}

function splitLength(text: string): readonly [string, string | undefined] {
  const [, sought, length] = /^(.*?)\s*\b(?:for|during)\s+(.+)$/i.exec(text) ?? [];
  return sought === undefined ? [text.trim(), undefined] : [sought.trim(), length?.trim()];
}
