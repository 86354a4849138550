import { formatFigure } from './figures.ts';
import { drawable } from './foreign-text.ts';
import { type Line, lineOf, type Reading, readingsOf, timeSpan } from './lines.ts';
import type { ChartSpec, Panel, Unit } from './spec.ts';
import { createWallClock, writeDayTime, writeTime } from './zoned-time.ts';

/** Writes a moment, as short as the time that is spoken of allows. */
type WriteMoment = (atMs: number) => string;

const dayMs = 86_400_000;
const mostSeries = 20;
const longestName = 60;

/** Of what a series moves, the least share that must lie between its ends for it to have grown or fallen. */
const trendShare = 0.8;
/** Less than this share of its size, or of 100 %, is no change worth a word. */
const steadyShare = 0.02;

/**
 * Says in a sentence what the panels of a chart show: `CPU 12 % on average, at most 93 % at 14:05; Disk grew from 71 % to
 * 73 %.` Plain text with foreign names in it, without line breaks. Throws a RangeError if there is no such zone.
 */
export function takeaway({ panels, timeZone }: Pick<ChartSpec, 'panels' | 'timeZone'>): string {
  const writeMoment = momentWriter(panels, timeZone);
  const phrases = panels.flatMap((panel) => phrasesOf(panel, writeMoment));
  if (phrases.length === 0) return 'No data.';
  const more = phrases.length - mostSeries;
  return `${[...phrases.slice(0, mostSeries), ...(more > 0 ? [`${more} more in the picture`] : [])].join('; ')}.`;
}

function momentWriter(panels: readonly Panel[], timeZone: string): WriteMoment {
  const { wallMsAt } = createWallClock(timeZone);
  const span = timeSpan(panels);
  const isLong = span !== undefined && span.untilMs - span.fromMs > dayMs;
  return (atMs) => (isLong ? `on ${writeDayTime(wallMsAt(atMs))}` : `at ${writeTime(wallMsAt(atMs))}`);
}

function phrasesOf({ label, unit, series }: Panel, writeMoment: WriteMoment): string[] {
  if (series.length === 0) return [`${nameOf(label)}: no data`];
  return series.map((one) => {
    const name = series.length === 1 ? nameOf(label) : nameOf(`${label} ${one.label}`);
    return `${name}${phraseOf(lineOf(one), unit, writeMoment)}`;
  });
}

function nameOf(label: string): string {
  const chars = Array.from(drawable(label));
  return chars.length > longestName
    ? `${chars.slice(0, longestName).join('')}…`
    : chars.join('') || 'Unnamed';
}

function phraseOf(line: Line, unit: Unit, writeMoment: WriteMoment): string {
  const readings = readingsOf(line);
  const [first, last] = [readings[0], readings.at(-1)];
  if (!first || !last) return ': no data';
  if (readings.length === 1)
    return ` ${formatFigure(first[1], unit)} ${writeMoment(first[0])}, the only reading`;
  const gaps = readings.length < line.length ? ', with gaps in the readings' : '';
  return ` ${courseOf(readings, unit, writeMoment)}${gaps}`;
}

function courseOf(readings: readonly Reading[], unit: Unit, writeMoment: WriteMoment): string {
  const write = (value: number) => formatFigure(value, unit);
  const values = readings.map(([, value]) => value);
  const { low, high, mean, way } = summarize(values);
  const [first = 0, last = 0] = [values[0], values.at(-1)];
  if (write(low) === write(high)) return `steady at ${write(low)}`;
  if (Math.abs(last - first) >= trendShare * way && write(first) !== write(last)) {
    return `${last > first ? 'grew' : 'fell'} from ${write(first)} to ${write(last)}`;
  }
  const size = unit === 'percent' ? 100 : Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= steadyShare * size) return `steady at about ${write(mean)}`;
  const peaks = readings.filter(([, value]) => value === high);
  const moment = peaks[0] ? writeMoment(peaks[0][0]) : '';
  return `${write(mean)} on average, at most ${write(high)}${peaks.length > 1 ? ', first' : ''} ${moment}`;
}

/** Gives the lowest, the highest and the middle of values, and the whole way that they went up and down. */
function summarize(values: readonly number[]) {
  let [low, high, sum, way] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  for (const [index, value] of values.entries()) {
    low = Math.min(low, value);
    high = Math.max(high, value);
    sum += value;
    way += Math.abs(value - (values[index - 1] ?? value));
  }
  return { low, high, mean: Math.min(high, Math.max(low, sum / values.length)), way };
}
