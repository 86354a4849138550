import { describe, expect, test } from 'vitest';
import type { RrdHistory } from '../../../../src/hosting/payloads/history.ts';
import type { RrdMetric } from '../../../../src/hosting/payloads/known-values.ts';
import { buildVpsReport } from '../../../../src/monitoring/reports/summary/vps-report.ts';
import {
  coversWeekBefore,
  mergeHistory,
  toReading,
} from '../../../../src/monitoring/shared/history/hourly-history.ts';
import { buildTimeSeries, meanValue, sliceSeries } from '../../../../src/monitoring/shared/time-series.ts';
import { dayMs, dayOf, endMs, hourMs, period, repeated, scope, weekOf } from '../histories.ts';

const week = { fromMs: endMs - 7 * dayMs, untilMs: endMs };
const nextDay = { fromMs: endMs, untilMs: endMs + dayMs };

/** Returns the same readings a day later. */
function aDayLater({ series, otherFields }: RrdHistory): RrdHistory {
  const later = series.map((one) => ({
    ...one,
    points: one.points.map(({ timeMs, value }) => ({ timeMs: timeMs + dayMs, value })),
  }));
  return { series: later, otherFields };
}

const meanWithin = (readings: readonly RrdHistory[], measure: RrdMetric, where: typeof week) =>
  meanValue(sliceSeries(buildTimeSeries(readings, measure, where.untilMs), where));

describe('the stored hours of a VPS', () => {
  const readings = [dayOf('cpu', repeated(50, 24)), weekOf('cpu', (hour) => hour)];
  const stored = mergeHistory(readings, undefined, week);

  test('are never finer than the original data, even after days of finer readings', () => {
    expect(stored.hourlyMeans.stepMs).toBe(2 * hourMs);
    const next = mergeHistory([aDayLater(dayOf('cpu', repeated(70, 24)))], stored, nextDay);
    expect(next.hourlyMeans.stepMs).toBe(2 * hourMs);
    expect((next.hourlyMeans.fromMs - stored.hourlyMeans.fromMs) % (2 * hourMs)).toBe(0);
    expect(mergeHistory([dayOf('cpu', repeated(5, 24))], undefined, week).hourlyMeans.stepMs).toBe(hourMs);
  });

  test("replace the week in the next day's report, and with its data in the one after that", () => {
    expect(coversWeekBefore(stored, nextDay)).toBe(true);
    const next = mergeHistory([aDayLater(dayOf('cpu', repeated(70, 24)))], stored, nextDay);
    expect(next.untilMs - next.fromMs).toBe(8 * dayMs);
    expect(meanWithin([toReading(next.hourlyMeans)], 'cpu', nextDay)).toBeCloseTo(70);
    expect(meanWithin([toReading(next.hourlyMeans)], 'cpu', period)).toBeCloseTo(50);
    const afterNext = { fromMs: nextDay.untilMs, untilMs: nextDay.untilMs + dayMs };
    expect(coversWeekBefore(next, afterNext)).toBe(true);
    expect(mergeHistory([], next, afterNext).fromMs).toBe(afterNext.untilMs - 8 * dayMs);
  });

  test('do not replace it if a day is missing, or no week was asked for', () => {
    const dayAfter = { fromMs: nextDay.untilMs, untilMs: nextDay.untilMs + dayMs };
    expect(coversWeekBefore(stored, dayAfter)).toBe(false);
    expect(coversWeekBefore(mergeHistory([dayOf('cpu', repeated(1, 24))], undefined, period), nextDay)).toBe(
      false,
    );
    const apart = mergeHistory([], stored, dayAfter);
    expect(apart.fromMs).toBe(dayAfter.fromMs);
  });

  test('replace it for a VPS that is younger than a week, which has nothing more', () => {
    const young = mergeHistory([dayOf('cpu', repeated(5, 24))], undefined, week);
    expect(coversWeekBefore(young, nextDay)).toBe(true);
  });

  test('never take the peak of an hour in the week for that of the next hour', () => {
    const backups = weekOf('cpu', (hour) => (hour === 4 ? 45 : 5));
    const hourly = dayOf('cpu', [...repeated(5, 4), 85, ...repeated(5, 19)]);
    const before = mergeHistory([hourly, backups], undefined, week);
    const scopeOfNext = { ...scope(), period: nextDay };
    const histories = [aDayLater(hourly), toReading(before.hourlyMeans)];
    expect(buildVpsReport({ name: 'VPS-10001', histories }, scopeOfNext).findings).toEqual([]);
  });

  test('lead to the same findings as the week itself', () => {
    const usual = weekOf('cpu', (hour) => (hour < 4 ? 60 : 5));
    const night = repeated(60, 4);
    const atNight = mergeHistory([dayOf('cpu', [...night, ...repeated(5, 20)]), usual], undefined, week);
    const today = aDayLater(dayOf('cpu', [...night, ...repeated(5, 16), ...repeated(80, 4)]));
    const later = { ...scope(), period: nextDay };
    const found = (histories: readonly RrdHistory[]) =>
      buildVpsReport({ name: 'VPS-10001', histories }, later).findings.map(({ kind }) => kind);
    expect(found([today, toReading(atNight.hourlyMeans)])).toEqual(found([today, usual]));
    expect(found([today, usual])).toContain('change');
  });
});
