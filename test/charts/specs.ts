import type { ChartSpec, Panel, Point, Unit } from '../../src/charts/spec.ts';

export const hourMs = 3_600_000;
/** 14:00 in Berlin. */
export const noonMs = Date.UTC(2026, 10, 21, 13);

/** Points every so often, the first at `noonMs` unless told otherwise. */
export function points(
  values: readonly (number | null)[],
  { stepMs = hourMs, fromMs = noonMs }: { readonly stepMs?: number; readonly fromMs?: number } = {},
): Point[] {
  return values.map((value, index) => ({ timeMs: fromMs + index * stepMs, value }));
}

/** A panel with one series. */
export function panel(label: string, values: readonly (number | null)[], unit: Unit = 'percent'): Panel {
  return { label, unit, series: [{ label: 'series', points: points(values) }] };
}

/** A chart with one panel of three readings. */
export function spec(changes: Partial<ChartSpec> = {}): ChartSpec {
  return {
    title: 'VPS-10001, last day',
    timeZone: 'Europe/Berlin',
    panels: [panel('CPU', [12, 93, 40])],
    ...changes,
  };
}
