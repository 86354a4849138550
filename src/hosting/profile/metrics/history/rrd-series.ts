/**
 * The measure of a series. `cpu`, `memory` and `disk` are percentages, the others bytes or bytes
 * per second.
 */
export type RrdMetric =
  | 'cpu'
  | 'memory'
  | 'memoryUsed'
  | 'memoryTotal'
  | 'disk'
  | 'diskUsed'
  | 'diskTotal'
  | 'networkIn'
  | 'networkOut'
  | 'diskRead'
  | 'diskWrite';

export interface SeriesPoint {
  /** Time in epoch ms. */
  readonly timeMs: number;
  /** `null` if there is no measurement. */
  readonly value: number | null;
}

export interface RrdSeries {
  /** The path in the payload, joined by dots. A calculated percentage has `memory` or `disk` instead. */
  readonly key: string;
  /** For display. */
  readonly label: string;
  readonly unit: 'percent' | 'bytes' | 'bytesPerSecond' | 'number';
  readonly metric?: RrdMetric;
  /** Oldest first, with distinct times. A gap between regular points is a point without a value. */
  readonly points: readonly SeriesPoint[];
}
