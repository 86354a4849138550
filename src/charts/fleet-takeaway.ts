import { formatPercent } from './figures.ts';
import { type FleetRow, type FleetSpec, mostFleetRows } from './fleet-spec.ts';
import { drawable } from './foreign-text.ts';
import { lineOf, readingsOf } from './lines.ts';
import { writePeriod } from './period.ts';
import { createWallClock, writeDayTime } from './zoned-time.ts';

const mostNamed = 3;
const longestName = 60;

/**
 * Says in words what a fleet's picture shows: `CPU of 12 over 20 Nov 06:00 – 21 Nov 06:00, UTC. Highest: VPS-10004 97 % on 20 Nov
 * 23:15, VPS-10009 79 % on 20 Nov 14:00.` Plain text with foreign names in it. Throws a RangeError if there is no such zone.
 */
export function fleetTakeaway({ measure, rows, total, timeZone, ...period }: FleetSpec): string {
  const { wallMsAt } = createWallClock(timeZone);
  const all = Math.max(total, rows.length);
  const drawn = rows.slice(0, mostFleetRows);
  const count = drawn.length < all ? `the ${drawn.length} busiest of ${all}` : `${all}`;
  const opening = `${measure} of ${count} over ${writePeriod(period, timeZone)}.`;
  const peaks = drawn.flatMap((row) => peakOf(row) ?? []).toSorted((a, b) => b.percent - a.percent);
  const phrases = peaks
    .slice(0, mostNamed)
    .map(({ name, percent, atMs }) => `${name} ${formatPercent(percent)} on ${writeDayTime(wallMsAt(atMs))}`);
  const unknown = drawn.length - peaks.length;
  return [
    opening,
    ...(phrases.length > 0 ? [`Highest: ${phrases.join(', ')}.`] : []),
    ...(unknown > 0 && phrases.length > 0 ? [`No data of ${unknown}.`] : []),
    ...(phrases.length === 0 ? ['No data.'] : []),
  ].join(' ');
}

function peakOf({ label, points }: FleetRow) {
  const readings = readingsOf(lineOf({ label, points }));
  const [first] = readings;
  if (!first) return undefined;
  const [atMs, percent] = readings.reduce((high, reading) => (reading[1] > high[1] ? reading : high), first);
  const name = Array.from(drawable(label)).slice(0, longestName).join('') || 'Unnamed';
  return { name, percent, atMs };
}
