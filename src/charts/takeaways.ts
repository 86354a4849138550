import { formatDayAndTime, formatTime } from '../time/format-wall-time.ts';
import { dayMs } from '../time/units.ts';
import { createWallClock } from '../time/wall-clock.ts';
import {
  type HeatmapRow,
  type HeatmapSpec,
  type LineChartSpec,
  maxHeatmapRows,
  type Panel,
  type Unit,
} from './chart-spec.ts';
import { formatPeriod } from './format/format-period.ts';
import { formatPercent, formatQuantity } from './format/format-quantity.ts';
import { sanitizeText } from './format/sanitize-text.ts';
import { findTimeSpan, type Line, type Sample, toLine, toSamples } from './line.ts';

/** Formats a time. The date is left out if the chart covers a day or less. */
type FormatMoment = (atMs: number) => string;

const maxSeries = 20;

/**
 * Minimum difference between a series' start and end, as a share of its total movement, for the series to
 * count as growing or falling.
 */
const minTrendShare = 0.8;
/**
 * Maximum difference between the highest and lowest values of a steady series, as a share of 100% for
 * percentages, otherwise as a share of the largest absolute value.
 */
const maxSteadyShare = 0.02;

/**
 * Describes a chart's panels in one line of plain text: `CPU 12% on average, peak 93% at 14:05; Disk grew
 * from 71% to 73%.` Names are untrusted. Throws a RangeError for an unknown zone.
 */
export function lineChartTakeaway({ panels, timeZone }: Pick<LineChartSpec, 'panels' | 'timeZone'>): string {
  const formatMoment = createMomentFormatter(panels, timeZone);
  const phrases = panels.flatMap((panel) => formatPanel(panel, formatMoment));
  if (phrases.length === 0) return 'No data.';
  const more = phrases.length - maxSeries;
  return `${[...phrases.slice(0, maxSeries), ...(more > 0 ? [`${more} more in the chart`] : [])].join('; ')}.`;
}

function createMomentFormatter(panels: readonly Panel[], timeZone: string): FormatMoment {
  const { wallMsAt } = createWallClock(timeZone);
  const span = findTimeSpan(panels);
  const isLong = span !== undefined && span.untilMs - span.fromMs > dayMs;
  return (atMs) => (isLong ? `on ${formatDayAndTime(wallMsAt(atMs))}` : `at ${formatTime(wallMsAt(atMs))}`);
}

function formatPanel({ label, unit, series }: Panel, formatMoment: FormatMoment): string[] {
  if (series.length === 0) return [`${formatSeriesName(label)}: no data`];
  return series.map((each) => {
    const name = series.length === 1 ? formatSeriesName(label) : formatSeriesName(`${label} ${each.label}`);
    return `${name}${formatSeries(toLine(each), unit, formatMoment)}`;
  });
}

function formatSeries(line: Line, unit: Unit, formatMoment: FormatMoment): string {
  const samples = toSamples(line);
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return ': no data';
  if (samples.length === 1)
    return ` ${formatQuantity(first[1], unit)} ${formatMoment(first[0])}, the only value`;
  const gaps = samples.length < line.length ? ', with gaps in the data' : '';
  return ` ${formatTrend(samples, unit, formatMoment)}${gaps}`;
}

function formatTrend(samples: readonly Sample[], unit: Unit, formatMoment: FormatMoment): string {
  const format = (value: number) => formatQuantity(value, unit);
  const values = samples.map(([, value]) => value);
  const { low, high, mean, distance } = summarize(values);
  const [first = 0, last = 0] = [values[0], values.at(-1)];
  if (format(low) === format(high)) return `steady at ${format(low)}`;
  if (Math.abs(last - first) >= minTrendShare * distance && format(first) !== format(last)) {
    return `${last > first ? 'grew' : 'fell'} from ${format(first)} to ${format(last)}`;
  }
  const size = unit === 'percent' ? 100 : Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= maxSteadyShare * size) return `steady at about ${format(mean)}`;
  const peaks = samples.filter(([, value]) => value === high);
  const moment = peaks[0] ? formatMoment(peaks[0][0]) : '';
  return `${format(mean)} on average, peak ${format(high)}${peaks.length > 1 ? ', first' : ''} ${moment}`;
}

/**
 * Returns the values' minimum, maximum, mean and total movement (`distance`): the sum of absolute differences
 * between adjacent values.
 */
function summarize(values: readonly number[]) {
  let [low, high, sum, distance] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  for (const [index, value] of values.entries()) {
    low = Math.min(low, value);
    high = Math.max(high, value);
    sum += value;
    distance += Math.abs(value - (values[index - 1] ?? value));
  }
  return { low, high, mean: Math.min(high, Math.max(low, sum / values.length)), distance };
}

const maxChars = 60;

/** Shortens an untrusted label and makes it safe to show. */
export function formatSeriesName(label: string): string {
  const chars = Array.from(sanitizeText(label));
  return chars.length > maxChars ? `${chars.slice(0, maxChars).join('')}…` : chars.join('') || 'Unnamed';
}

const maxNamedRows = 3;

/**
 * Describes a heatmap in plain text: `CPU of 12 over 20 Nov 06:00 – 21 Nov 06:00, UTC. Highest:
 * VPS-10004 97% on 20 Nov 23:15, VPS-10009 79% on 20 Nov 14:00.` Names are untrusted. Throws a
 * RangeError for an unknown zone.
 */
export function heatmapTakeaway({ measure, rows, total, timeZone, ...period }: HeatmapSpec): string {
  const { wallMsAt } = createWallClock(timeZone);
  const all = Math.max(total, rows.length);
  const drawn = rows.slice(0, maxHeatmapRows);
  const count = drawn.length < all ? `the first ${drawn.length} of ${all}` : `${all}`;
  const opening = `${measure} of ${count} over ${formatPeriod(period, timeZone)}.`;
  const peaks = drawn.flatMap((row) => findPeak(row) ?? []).toSorted((a, b) => b.percent - a.percent);
  const phrases = peaks
    .slice(0, maxNamedRows)
    .map(
      ({ name, percent, atMs }) => `${name} ${formatPercent(percent)} on ${formatDayAndTime(wallMsAt(atMs))}`,
    );
  const unknown = drawn.length - peaks.length;
  return [
    opening,
    ...(phrases.length > 0 ? [`Highest: ${phrases.join(', ')}.`] : []),
    ...(unknown > 0 && phrases.length > 0 ? [`No data for ${unknown}.`] : []),
    ...(phrases.length === 0 ? ['No data.'] : []),
  ].join(' ');
}

function findPeak({ label, points }: HeatmapRow) {
  const samples = toSamples(toLine({ label, points }));
  const [first] = samples;
  if (!first) return undefined;
  const [atMs, percent] = samples.reduce((high, sample) => (sample[1] > high[1] ? sample : high), first);
  return { name: formatSeriesName(label), percent, atMs };
}
