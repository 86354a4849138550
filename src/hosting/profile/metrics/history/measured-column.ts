import type { FieldMeaning } from '../field-meaning.ts';
import type { Measurement } from '../measurements.ts';
import type { MeasuredPoint } from './normalize-points.ts';

/** The sorted points of one column, with the meaning of its name. */
export interface MeasuredColumn {
  readonly path: readonly string[];
  readonly meaning: FieldMeaning | undefined;
  readonly points: readonly MeasuredPoint[];
}

/** Returns the numbers of a column. The list is empty if the column's name isn't understood. */
export function listMeasurements({ meaning, points }: MeasuredColumn): Measurement[] {
  if (meaning === undefined) return [];
  return points.flatMap(({ quantity }) => (quantity ? [{ meaning, quantity }] : []));
}

export function findFirstMeasurement(column: MeasuredColumn): Measurement | undefined {
  return listMeasurements(column)[0];
}

/** Returns the known values of a column in the column's own unit. */
export function listValues({ points }: Pick<MeasuredColumn, 'points'>): number[] {
  return points.flatMap(({ quantity }) => quantity?.value ?? []);
}
