import { formatDuration } from '../../charts/figures.ts';
import { readDurationMs } from '../../operations/duration.ts';
import { type SummarySettings, summarySettings } from './settings.ts';

const minuteMs = 60_000;

/** What thresholds look like, as they are typed. */
export const exampleThresholds = 'cpu 90% 1h, memory 95%, disk 90%, full in 7d';

export type ReadThresholds =
  | { readonly ok: true; readonly settings: SummarySettings }
  | { readonly ok: false; readonly problem: string };

/** Gives the settings that a part of the text changes; a sentence where it is wrong; nothing where it is another threshold. */
type Reader = (text: string) => Partial<SummarySettings> | string | undefined;

/** In the order in which they are written. */
const readers: readonly Reader[] = [
  sustained('cpu', /^cpu\b/i, 'cpuPercent', 'cpuMinutes'),
  sustained('memory', /^(?:memory|mem|ram)\b/i, 'memoryPercent', 'memoryMinutes'),
  numeric(
    /^disk\b(?!.*full)/i,
    /^(\d+(?:\.\d+)?)\s*%?$/,
    'diskPercent',
    'Disk takes a percentage from 1 to 99, or off, as in disk 90%',
  ),
  numeric(
    /^(?:disk\s+)?full\b/i,
    /^(?:in|within)?\s*(\d+(?:\.\d+)?)\s*(?:d|days?)$/i,
    'diskFullDays',
    'A disk that fills up takes days up to 90, or off, as in full in 7d',
  ),
  numeric(
    /^change\b/i,
    /^(?:of|by)?\s*(\d+(?:\.\d+)?)\s*(?:%|points?)?$/i,
    'changePoints',
    'A change of CPU takes points up to 100, or off, as in change 25',
  ),
  numeric(
    /^traffic\b/i,
    /^(\d+(?:\.\d+)?)\s*(?:x|×|times)?$/i,
    'trafficTimes',
    'Traffic takes how many times what is usual, or off, as in traffic 5x',
  ),
];

/**
 * Reads thresholds as people write them, separated by commas: `cpu 90% 1h, memory 95%, disk 90%, full in 7d, change 25, traffic 5x`. What is not
 * named stays as it is in `base`.
 */
export function readThresholds(text: string, base: SummarySettings): ReadThresholds {
  let settings = base;
  for (const part of text.split(/[,;\n]/).map((one) => one.trim())) {
    if (part === '') continue;
    const read = readers.map((reader) => reader(part)).find((one) => one !== undefined);
    if (read === undefined)
      return { ok: false, problem: `“${part}” is no threshold; they look like ${exampleThresholds}` };
    if (typeof read === 'string') return { ok: false, problem: `${read}: “${part}” is not that` };
    settings = { ...settings, ...read };
  }
  return { ok: true, settings };
}

function sustained(
  name: string,
  head: RegExp,
  percentOf: 'cpuPercent' | 'memoryPercent',
  minutesOf: 'cpuMinutes' | 'memoryMinutes',
): Reader {
  return (text) => {
    if (!head.test(text)) return undefined;
    const wrong = `${name === 'cpu' ? 'CPU' : 'Memory'} takes a percentage from 1 to 99 and how long, from 1 min to 7 d, or off, as in ${name} 90% 1h`;
    if (isOff(restOf(text, head))) return { [percentOf]: 0 };
    const match = /^(\d+(?:\.\d+)?)\s*%?(?:\s+(?:for\s+)?(.+))?$/i.exec(restOf(text, head));
    if (!match) return wrong;
    const [, percent, lasting] = match;
    const minutes = lasting === undefined ? undefined : minutesIn(lasting);
    if (lasting !== undefined && minutes === undefined) return wrong;
    const read = { [percentOf]: Number(percent), ...(minutes !== undefined && { [minutesOf]: minutes }) };
    return isAccepted(read) ? read : wrong;
  };
}

function minutesIn(text: string): number | undefined {
  const lengthMs = readDurationMs(text);
  return lengthMs === undefined ? undefined : Math.round(lengthMs / minuteMs);
}

function numeric(head: RegExp, form: RegExp, field: keyof SummarySettings, wrong: string): Reader {
  return (text) => {
    if (!head.test(text)) return undefined;
    const rest = restOf(text, head);
    if (isOff(rest)) return { [field]: 0 };
    const read = { [field]: Number(form.exec(rest)?.[1] ?? Number.NaN) };
    return isAccepted(read) ? read : wrong;
  };
}

/** What stands between the name and the figure says nothing that is not meant anyway. */
function restOf(text: string, head: RegExp): string {
  return text
    .replace(head, '')
    .trim()
    .replace(/^(?:[>≥]=?|over|above|at least)\s*/i, '');
}

function isOff(rest: string): boolean {
  return /^off$/i.test(rest);
}

function isAccepted(read: Partial<Record<keyof SummarySettings, unknown>>): boolean {
  return summarySettings.safeParse(read).success;
}

/** Writes all thresholds as `readThresholds` reads them. */
export function writeThresholds(settings: SummarySettings): string {
  const { cpuPercent, cpuMinutes, memoryPercent, memoryMinutes, diskPercent } = settings;
  const { diskFullDays, changePoints, trafficTimes } = settings;
  return [
    `cpu ${cpuPercent === 0 ? 'off' : `${cpuPercent}% ${writeMinutes(cpuMinutes)}`}`,
    `memory ${memoryPercent === 0 ? 'off' : `${memoryPercent}% ${writeMinutes(memoryMinutes)}`}`,
    `disk ${diskPercent === 0 ? 'off' : `${diskPercent}%`}`,
    `full ${diskFullDays === 0 ? 'off' : `in ${diskFullDays}d`}`,
    `change ${changePoints === 0 ? 'off' : changePoints}`,
    `traffic ${trafficTimes === 0 ? 'off' : `${trafficTimes}x`}`,
  ].join(', ');
}

function writeMinutes(minutes: number): string {
  const days = Math.floor(minutes / 1_440);
  const hours = Math.floor((minutes % 1_440) / 60);
  const parts = [
    [days, 'd'],
    [hours, 'h'],
    [minutes % 60, 'm'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : [])).join(' ');
}

/** Says from when on something stands out: `CPU from 90 % for 1 h, …`. */
export function describeThresholds(settings: SummarySettings): string {
  const { cpuPercent, cpuMinutes, memoryPercent, memoryMinutes, diskPercent } = settings;
  const { diskFullDays, changePoints, trafficTimes } = settings;
  const diskWords = [
    ...(diskPercent === 0 ? [] : [`from ${diskPercent} %`]),
    ...(diskFullDays === 0 ? [] : [`full within ${diskFullDays} d`]),
  ];
  return [
    ...(cpuPercent === 0 ? [] : [`CPU from ${cpuPercent} % for ${formatDuration(cpuMinutes * minuteMs)}`]),
    ...(memoryPercent === 0
      ? []
      : [`memory from ${memoryPercent} % for ${formatDuration(memoryMinutes * minuteMs)}`]),
    ...(diskWords.length === 0 ? [] : [`disk ${diskWords.join(', or ')}`]),
    ...(changePoints === 0 ? [] : [`CPU ${changePoints} points off its usual`]),
    ...(trafficTimes === 0 ? [] : [`${trafficTimes} times the usual traffic`]),
    'any bad state',
  ].join('; ');
}
