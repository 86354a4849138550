import { formatDayAndTime } from '../../time/format-wall-time.ts';
import { createWallClock } from '../../time/wall-clock.ts';
import { type HeatmapRow, type HeatmapSpec, maxHeatmapRows } from '../chart-spec.ts';
import { formatPeriod } from '../format/format-period.ts';
import { formatPercent } from '../format/format-quantity.ts';
import { toLine, toSamples } from '../line.ts';
import { formatSeriesName } from './series-name.ts';

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
  const count = drawn.length < all ? `the ${drawn.length} busiest of ${all}` : `${all}`;
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
