import type { Measure, RrdReading, RrdSeries } from '../../../src/hosting/readings/rrd.ts';
import type { Scope } from '../../../src/reports/summary/findings.ts';
import { type SummarySettings, summarySettings } from '../../../src/reports/summary/settings.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** 06:00 in Berlin. */
export const endMs = Date.UTC(2026, 10, 21, 5);
export const period = { fromMs: endMs - dayMs, untilMs: endMs };

export function scope(settings: Partial<SummarySettings> = {}): Scope {
  return { period, settings: summarySettings.parse(settings), timeZone: 'Europe/Berlin' };
}

type Value = number | null;

/** A series whose last value covers the time up to `endMs`. */
export function series(measure: Measure, stepMs: number, values: readonly Value[]): RrdSeries {
  const points = values.map((value, index) => ({ timeMs: endMs - (values.length - index) * stepMs, value }));
  const unit = measure.startsWith('network') ? 'bytesPerSecond' : 'percent';
  return { key: measure, label: measure, unit, measure, points };
}

export function history(...all: readonly RrdSeries[]): RrdReading {
  return { series: all, rest: {} };
}

/** A day in quarters of an hour: each value of `hours` for one hour, the last of them up to the end. */
export function dayOf(measure: Measure, hours: readonly Value[]): RrdReading {
  return history(
    series(
      measure,
      hourMs / 4,
      hours.flatMap((value) => [value, value, value, value]),
    ),
  );
}

/** A week in steps of two hours, each day with the same values. */
export function weekOf(measure: Measure, day: (hour: number) => Value): RrdReading {
  return history(
    series(
      measure,
      2 * hourMs,
      Array.from({ length: 84 }, (_, index) => day((index * 2) % 24)),
    ),
  );
}

/** So many times the same. */
export function repeated(value: Value, count: number): readonly Value[] {
  return Array.from({ length: count }, () => value);
}
