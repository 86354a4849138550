import type { LineChartSpec, Panel, Point, Unit } from '../../src/charts/chart-spec.ts';

export const hourMs = 3_600_000;
/** 14:00 in Berlin. */
export const noonMs = Date.UTC(2026, 10, 21, 13);

/** Returns points at regular intervals. They start at `noonMs` by default. */
export function points(
  values: readonly (number | null)[],
  { stepMs = hourMs, fromMs = noonMs }: { readonly stepMs?: number; readonly fromMs?: number } = {},
): Point[] {
  return values.map((value, index) => ({ timeMs: fromMs + index * stepMs, value }));
}

/** Returns a panel with one series. */
export function panel(label: string, values: readonly (number | null)[], unit: Unit = 'percent'): Panel {
  return { label, unit, series: [{ label: 'series', points: points(values) }] };
}

/** Returns a line chart. By default, it has one panel with three points. */
export function spec(changes: Partial<LineChartSpec> = {}): LineChartSpec {
  return {
    kind: 'line',
    title: 'VPS-10001, last day',
    timeZone: 'Europe/Berlin',
    panels: [panel('CPU', [12, 93, 40])],
    ...changes,
  };
}
