import {
  buildUsageContext,
  hasProxmoxNames,
  type UsageContext,
  type UsageField,
} from '../live/usage-shares.ts';
import { canBeLargerUnit, hasNoUnit, type Measurement, toFlow } from '../measurements.ts';
import {
  findFirstMeasurement,
  listMeasurements,
  listValues,
  type MeasuredColumn,
} from './measured-column.ts';

/** Facts about units that all columns of a history reveal together. */
export interface SeriesContext extends Pick<UsageContext, 'inBytes' | 'maxCpuPercent'> {
  /**
   * Returns the factor that converts a column without a unit to percent. Returns undefined if the
   * column contains no shares.
   */
  readonly scaleOf: (column: MeasuredColumn) => number | undefined;
  /** Returns whether a column has the size of the memory or disk. */
  readonly hasTotal: (subject: 'memory' | 'disk') => boolean;
  /**
   * Returns whether a flow is per second or a total since the start, if its name and unit leave
   * that open.
   */
  readonly periodOf: (column: MeasuredColumn) => 'second' | 'start' | undefined;
}

/** Derives facts about units from all columns of a history. */
export function buildContext(columns: readonly MeasuredColumn[]): SeriesContext {
  const fields = new Map<MeasuredColumn, UsageField>();
  for (const column of columns) {
    const { meaning, path } = column;
    const all = listMeasurements(column);
    if (meaning === undefined || all.length === 0) continue;
    fields.set(column, { path, meaning, values: listValues(column), hasUnit: !all.every(hasNoUnit) });
  }
  const { scales, inBytes, maxCpuPercent } = buildUsageContext([...fields.values()]);
  return {
    inBytes,
    maxCpuPercent,
    scaleOf: (column) => {
      const field = fields.get(column);
      return field && scales.get(field);
    },
    hasTotal: (subject) =>
      columns.some(
        ({ meaning }) =>
          meaning?.subject === subject && (meaning.role === 'total' || meaning.role === 'limit'),
      ),
    periodOf: createPeriodRule(columns, hasProxmoxNames(columns)),
  };
}

/** 1 Gbit/s. Flows that exceed it and never fall are totals. */
const maxUsualBytesPerS = 125e6;

function createPeriodRule(columns: readonly MeasuredColumn[], isProxmox: boolean): SeriesContext['periodOf'] {
  const flows = columns.filter((column) => {
    const first = findFirstMeasurement(column);
    return first !== undefined && isFlow(first) && toFlow(first)?.per === 'unknown';
  });
  const isLarge = flows.some((column) => listValues(column).some((value) => value > maxUsualBytesPerS));
  const isLong = flows.some((column) => countRises(listValues(column)) >= minCounterRises);
  if ((isLarge || isLong) && flows.every(isNonDecreasing)) return () => 'start';
  if (isProxmox) return () => 'second';
  const isUnclear = canBeLargerUnit(flows.flatMap(listValues));
  return () => (isUnclear ? undefined : 'second');
}

/** A rate doesn't rise this often without falling. */
const minCounterRises = 10;

function countRises(values: readonly number[]): number {
  return values.filter((value, index) => value > (values[index - 1] ?? value)).length;
}

function isFlow({ meaning: { subject } }: Measurement): boolean {
  return subject.startsWith('network') || subject === 'diskRead' || subject === 'diskWrite';
}

function isNonDecreasing(column: MeasuredColumn): boolean {
  const values = listValues(column);
  return values.every((value, index) => value >= (values[index - 1] ?? value));
}

/** Fewer points that rise can be amounts for each point. */
const minCounterPoints = 5;

/**
 * A counter falls only when the VPS restarts. This can be true of at most this share of its points,
 * or of one.
 */
const maxResetShare = 0.02;

/** Returns whether amounts are totals since the start rather than amounts for each point. */
export function isCounter(values: readonly number[]): boolean {
  const falls = values.filter((value, index) => value < (values[index - 1] ?? value)).length;
  if (values.length < minCounterPoints) return false;
  return falls <= (values.length < 2 * minCounterPoints ? 0 : Math.max(1, values.length * maxResetShare));
}
