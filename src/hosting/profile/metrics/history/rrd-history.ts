import { isSecretFieldName } from '../../../secret-detection.ts';
import { toOtherFields } from '../../payload/list-finder.ts';
import { openPlaces } from '../../readings/places.ts';
import { parseQuantity } from '../../values/numbers.ts';
import {
  isAboutAnotherVps,
  isEmpty,
  isOfAnotherVps,
  isVpsName,
  type ServiceRecord,
} from '../../values/records.ts';
import { parseFieldMeaning } from '../field-meaning.ts';
import { createPeakTest, isVaryingPeak } from '../peaks.ts';
import { buildSeries } from './build-series.ts';
import { listValues, type MeasuredColumn } from './measured-column.ts';
import { normalizePoints } from './normalize-points.ts';
import { findColumns, type RrdColumn } from './rrd-columns.ts';
import type { RrdSeries } from './rrd-series.ts';

export interface RrdHistory {
  readonly series: readonly RrdSeries[];
  /** The payload without the points, plus the points' values that aren't numbers. */
  readonly otherFields: ServiceRecord;
}

/**
 * Reads the history of a VPS from rows, columns, or a list of points per series. If the payload is
 * about several VPS, only the values of `vpsName` are used; without `vpsName`, each VPS gets its
 * own series.
 */
export function readRrdHistory(data: unknown, vpsName?: string): RrdHistory {
  if (isOfAnotherVps(data, vpsName)) return { series: [], otherFields: toOtherFields(data) };
  const found = findColumns(data);
  const columns = filterByVps(found.columns, vpsName);
  const numeric = columns.filter((column) => isNumericColumn(column) && !column.path.some(isSecretFieldName));
  const isPeak = createPeakTest(columns.map(({ path }) => path));
  const measured = numeric.map(({ path, points: raw }): MeasuredColumn => {
    const meaning = parseFieldMeaning(path);
    const points = normalizePoints(
      raw.map(({ timeMs, value }) => ({ timeMs, quantity: parseQuantity(value) })),
    );
    const isHighest = meaning?.isMaximum && (isPeak(path) || isVaryingPeak(listValues({ points })));
    return { path, meaning: isHighest ? undefined : meaning, points };
  });
  const nonNumeric = columns.flatMap((column) => collectNonNumeric(column, numeric.includes(column)));
  return {
    series: buildSeries(measured, openPlaces(data)),
    otherFields: addNonNumeric(toOtherFields(found.rest), nonNumeric),
  };
}

function filterByVps(columns: readonly RrdColumn[], vpsName: string | undefined): readonly RrdColumn[] {
  const own = columns.filter(({ path }) => !isAboutAnotherVps(path, vpsName));
  const names = new Set(own.flatMap(({ path }) => path.filter(isVpsName)));
  if (names.size > 1) return own;
  return own.map(({ path, points }) => ({
    path: path.filter((field): boolean => !isVpsName(field)),
    points,
  }));
}

/** How services write that a measurement is missing. */
const gapPattern = /^(nan|-|–|n\/?a|null|none|u|unknown|)$/i;

function isGap(value: unknown): boolean {
  return isEmpty(value) || (typeof value === 'string' && gapPattern.test(value.trim()));
}

/** Returns whether a column is numeric: it has at least one number, or only gaps. */
function isNumericColumn({ points }: RrdColumn): boolean {
  return (
    points.some(({ value }) => parseQuantity(value) !== undefined) ||
    points.every(({ value }) => isGap(value))
  );
}

/** Collects each value that isn't part of a series once. */
function collectNonNumeric({ path, points }: RrdColumn, isSeries: boolean): [string, unknown][] {
  const values = points.map(({ value }) => value);
  const others = values.filter((value) => !isGap(value) && !(isSeries && parseQuantity(value) !== undefined));
  const once = [...new Set(others)];
  return once.length === 0 ? [] : [[path.join('.') || 'value', once.length === 1 ? once[0] : once]];
}

function addNonNumeric(fields: ServiceRecord, nonNumeric: readonly [string, unknown][]): ServiceRecord {
  if (nonNumeric.length === 0) return fields;
  let field = 'points';
  while (field in fields) field += ' ';
  return { ...fields, [field]: Object.fromEntries(nonNumeric) };
}
