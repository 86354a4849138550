/** A number's unit, which determines its format. Percentages are from 0 to 100; bytes are shown in powers of 1024. */
export type Unit = 'percent' | 'bytes' | 'bytesPerSecond' | 'number';

export interface Point {
  readonly timeMs: number;
  /** `null` and non-finite numbers are gaps. */
  readonly value: number | null;
}

export interface Series {
  readonly label: string;
  readonly points: readonly Point[];
}

export interface Panel {
  readonly label: string;
  readonly unit: Unit;
  readonly series: readonly Series[];
}

/** A chart with panels stacked above a shared time axis. Its text can be untrusted. */
export interface LineChartSpec {
  readonly kind: 'line';
  readonly title: string;
  readonly panels: readonly Panel[];
  /** IANA name of the time zone for all times. */
  readonly timeZone: string;
}

/** A PNG and its size in pixels. */
export interface ChartImage {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export interface HeatmapRow {
  /** Untrusted text. */
  readonly label: string;
  readonly isHighlighted?: boolean;
  /** Percentages. Each value applies until the next point. */
  readonly points: readonly Point[];
}

/** A heatmap that compares the usage of many VPS over time. Busier times are darker. */
export interface HeatmapSpec {
  readonly kind: 'heatmap';
  readonly title: string;
  /** The name of the metric, such as `CPU`. */
  readonly measure: string;
  readonly fromMs: number;
  readonly untilMs: number;
  /** IANA name of the time zone for all times. */
  readonly timeZone: string;
  /** Rows with CPU findings first, then by average CPU. Rows beyond `maxHeatmapRows` aren't drawn. */
  readonly rows: readonly HeatmapRow[];
  /** Total number of VPS, including those without a row. */
  readonly total: number;
}

/** Maximum number of rows that can be read on a phone. */
export const maxHeatmapRows = 40;

export type ChartSpec = LineChartSpec | HeatmapSpec;
