import type { Leaf } from '../payload/leaves.ts';
import type { liveReadings } from '../readings/metric-readings.ts';

/** A number that was found in live data. */
export interface FoundAmount {
  readonly value: number;
  /** The leaves that the metric comes from. There are several if it was calculated. */
  readonly leaves: readonly Leaf[];
  /** Whether no other leaf has a different value for this metric, and no unit was guessed. */
  readonly isCertain: boolean;
}

export type MetricField = Exclude<keyof typeof liveReadings, 'state' | 'loadAverage'>;

/** A metric that was found in live data. */
export interface FoundMetric extends FoundAmount {
  readonly field: MetricField;
}

/** The metrics whose fields a person chose. */
export type ChosenMetrics = ReadonlyMap<MetricField, FoundAmount>;
