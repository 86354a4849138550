import { describe, expect, test } from 'vitest';
import type { Measure, RrdReading } from '../../../src/hosting/readings/rrd.ts';
import { hours, keepHours, reachesBack, toReading } from '../../../src/reports/history/hours.ts';
import { courseOf, meanOf, within } from '../../../src/reports/summary/course.ts';
import { reportVps } from '../../../src/reports/summary/vps-report.ts';
import { dayMs, dayOf, endMs, hourMs, period, repeated, scope, weekOf } from '../summary/histories.ts';

const week = { fromMs: endMs - 7 * dayMs, untilMs: endMs };
const nextDay = { fromMs: endMs, untilMs: endMs + dayMs };

/** The same readings, a day later. */
function aDayLater({ series, rest }: RrdReading): RrdReading {
  const later = series.map((one) => ({
    ...one,
    points: one.points.map(({ timeMs, value }) => ({ timeMs: timeMs + dayMs, value })),
  }));
  return { series: later, rest };
}

const meanWithin = (readings: readonly RrdReading[], measure: Measure, where: typeof week) =>
  meanOf(within(courseOf(readings, measure, where.untilMs), where));

describe('the hours that are kept of a VPS', () => {
  const readings = [dayOf('cpu', repeated(50, 24)), weekOf('cpu', (hour) => hour)];
  const kept = keepHours(readings, undefined, week);

  test('tell the same as what they were made of, step by step', () => {
    const again = [toReading(kept.hours)];
    for (let fromMs = week.fromMs; fromMs < week.untilMs; fromMs += 2 * hourMs) {
      const hours = { fromMs, untilMs: fromMs + 2 * hourMs };
      expect(meanWithin(again, 'cpu', hours)).toBeCloseTo(meanWithin(readings, 'cpu', hours) ?? -1, 1);
    }
  });

  test('are no finer than what they were made of, also after days of finer readings', () => {
    expect(kept.hours.stepMs).toBe(2 * hourMs);
    const next = keepHours([aDayLater(dayOf('cpu', repeated(70, 24)))], kept, nextDay);
    expect(next.hours.stepMs).toBe(2 * hourMs);
    expect((next.hours.fromMs - kept.hours.fromMs) % (2 * hourMs)).toBe(0);
    expect(keepHours([dayOf('cpu', repeated(5, 24))], undefined, week).hours.stepMs).toBe(hourMs);
  });

  test('survive being written as JSON, in little room', () => {
    const written = JSON.stringify(kept.hours);
    expect(hours.parse(JSON.parse(written))).toEqual(kept.hours);
    expect(written.length).toBeLessThan(2_000);
  });

  test('make the week needless for the report of the next day, and with its day for that of the day after', () => {
    expect(reachesBack(kept, nextDay)).toBe(true);
    const next = keepHours([aDayLater(dayOf('cpu', repeated(70, 24)))], kept, nextDay);
    expect(next.untilMs - next.fromMs).toBe(8 * dayMs);
    expect(meanWithin([toReading(next.hours)], 'cpu', nextDay)).toBeCloseTo(70);
    expect(meanWithin([toReading(next.hours)], 'cpu', period)).toBeCloseTo(50);
    const afterNext = { fromMs: nextDay.untilMs, untilMs: nextDay.untilMs + dayMs };
    expect(reachesBack(next, afterNext)).toBe(true);
    expect(keepHours([], next, afterNext).fromMs).toBe(afterNext.untilMs - 8 * dayMs);
  });

  test('do not where a day was left out, or no week was asked for', () => {
    const dayAfter = { fromMs: nextDay.untilMs, untilMs: nextDay.untilMs + dayMs };
    expect(reachesBack(kept, dayAfter)).toBe(false);
    expect(reachesBack(keepHours([dayOf('cpu', repeated(1, 24))], undefined, period), nextDay)).toBe(false);
    const apart = keepHours([], kept, dayAfter);
    expect(apart.fromMs).toBe(dayAfter.fromMs);
  });

  test('do so for a VPS that is younger than a week: there is no more to be read of it', () => {
    const young = keepHours([dayOf('cpu', repeated(5, 24))], undefined, week);
    expect(reachesBack(young, nextDay)).toBe(true);
  });

  test('take no peak of an hour in the week for one of the hour beside it', () => {
    const backups = weekOf('cpu', (hour) => (hour === 4 ? 45 : 5));
    const hourly = dayOf('cpu', [...repeated(5, 4), 85, ...repeated(5, 19)]);
    const before = keepHours([hourly, backups], undefined, week);
    const scopeOfNext = { ...scope(), period: nextDay };
    const histories = [aDayLater(hourly), toReading(before.hours)];
    expect(reportVps({ name: 'VPS-10001', histories }, scopeOfNext).findings).toEqual([]);
  });

  test('let what stands out be found as the week itself does', () => {
    const usual = weekOf('cpu', (hour) => (hour < 4 ? 60 : 5));
    const night = repeated(60, 4);
    const atNight = keepHours([dayOf('cpu', [...night, ...repeated(5, 20)]), usual], undefined, week);
    const today = aDayLater(dayOf('cpu', [...night, ...repeated(5, 16), ...repeated(80, 4)]));
    const later = { ...scope(), period: nextDay };
    const found = (histories: readonly RrdReading[]) =>
      reportVps({ name: 'VPS-10001', histories }, later).findings.map(({ kind }) => kind);
    expect(found([today, toReading(atNight.hours)])).toEqual(found([today, usual]));
    expect(found([today, usual])).toContain('change');
  });
});
