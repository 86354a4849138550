import type { RrdHistory, RrdSeries } from '../../../src/hosting/payloads/history.ts';
import type { RrdMetric } from '../../../src/hosting/payloads/known-values.ts';
import type { AnalysisScope } from '../../../src/monitoring/reports/findings/find-findings.ts';
import {
  type SummarySettings,
  summarySettings,
} from '../../../src/monitoring/reports/findings/thresholds.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** 06:00 in Berlin. */
export const endMs = Date.UTC(2026, 10, 21, 5);
export const period = { fromMs: endMs - dayMs, untilMs: endMs };

export function scope(settings: Partial<SummarySettings> = {}): AnalysisScope {
  return { period, settings: summarySettings.parse(settings), timeZone: 'Europe/Berlin' };
}

type Value = number | null;

/** Returns a series whose last value ends at `endMs`. */
export function series(measure: RrdMetric, stepMs: number, values: readonly Value[]): RrdSeries {
  const points = values.map((value, index) => ({ timeMs: endMs - (values.length - index) * stepMs, value }));
  const unit = measure.startsWith('network') ? 'bytesPerSecond' : 'percent';
  return { key: measure, label: measure, unit, metric: measure, points };
}

export function history(...all: readonly RrdSeries[]): RrdHistory {
  return { series: all, otherFields: {} };
}

/**
 * Returns a history with four values for each of `hours`, a quarter of an hour apart. The last hour
 * ends at `endMs`.
 */
export function dayOf(measure: RrdMetric, hours: readonly Value[]): RrdHistory {
  return history(
    series(
      measure,
      hourMs / 4,
      hours.flatMap((value) => [value, value, value, value]),
    ),
  );
}

/** Returns a week in steps of two hours. Each day has the same values. */
export function weekOf(measure: RrdMetric, day: (hour: number) => Value): RrdHistory {
  return history(
    series(
      measure,
      2 * hourMs,
      Array.from({ length: 84 }, (_, index) => day((index * 2) % 24)),
    ),
  );
}

/** Returns a list that repeats a value `count` times. */
export function repeated(value: Value, count: number): readonly Value[] {
  return Array.from({ length: count }, () => value);
}
