import { collectLeaves, type Leaf } from '../../payload/leaves.ts';
import { limitValues } from '../../payload/limit-values.ts';
import { toOtherFields } from '../../payload/list-finder.ts';
import { liveReadings } from '../../readings/metric-readings.ts';
import { openPlaces } from '../../readings/places.ts';
import { isPlausible } from '../../readings/reading.ts';
import { parseSeconds } from '../../values/durations.ts';
import {
  isAboutAnotherVps,
  isOfAnotherVps,
  isStateField,
  isStateGroup,
  isVpsName,
  preferredState,
  removeMarkup,
  type ServiceRecord,
  toText,
} from '../../values/records.ts';
import { formatContradiction } from '../../values/state-contradiction.ts';
import { readChosenMetrics } from '../chosen-metrics.ts';
import { isWrapperField, joinUnwrappedPath, parseFieldMeaning } from '../field-meaning.ts';
import type { FoundMetric, MetricField } from '../found-metric.ts';
import type { LeafMeasurement } from '../measurements.ts';
import { createPeakTest } from '../peaks.ts';
import { readLiveFlows } from './live-flows.ts';
import { readLiveUsage } from './live-usage.ts';
import { readLoadAverage } from './load-average.ts';

/**
 * A VPS's current metrics that could be found in an undocumented payload. A flow is a rate, or a
 * total since the VPS started.
 */
export interface LiveMetrics extends Partial<Readonly<Record<MetricField, number>>> {
  /** The state in the service's own words. */
  readonly state?: string;
  /** Averages over 1, 5 and 15 minutes. The last ones can be missing. */
  readonly loadAverage?: readonly number[];
  /** Fields whose meaning is unknown. Possible secrets are left out. */
  readonly unrecognized: readonly UnrecognizedField[];
  /** Whether the payload had more values than are read. */
  readonly isCut?: true;
  readonly record: ServiceRecord;
}

/** A field whose meaning is unknown. */
export interface UnrecognizedField {
  /** Field names from the outermost field to the field itself. */
  readonly path: readonly string[];
  readonly value: string | number | boolean;
}

/**
 * Reads current metrics from a record, or from a list of names and values; both can be nested. If
 * the payload is about several VPS, only the values of `vpsName` are used.
 */
export function readLiveMetrics(payload: unknown, vpsName?: string): LiveMetrics {
  const { data, isCut } = limitValues(payload);
  const places = openPlaces(data);
  const leaves = collectLeaves(data).filter(({ path }) => !isAboutAnotherVps(path, vpsName));
  if (isOfAnotherVps(data, vpsName))
    return { unrecognized: leaves.map(toUnrecognizedField), record: toOtherFields(data) };
  const chosen = readChosenMetrics(leaves, places);
  const open = leaves.filter((leaf) => !chosen.leaves.has(leaf));
  const isPeak = createPeakTest(open.map(({ path }) => path));
  const measured = open.flatMap((leaf): LeafMeasurement[] => {
    const meaning = leaf.quantity && leaf.quantity.value >= 0 ? parseFieldMeaning(leaf.path) : undefined;
    if (meaning?.isMaximum && isPeak(leaf.path)) return [];
    return leaf.quantity && meaning ? [{ leaf, meaning, quantity: leaf.quantity }] : [];
  });
  const uptime = open.flatMap((leaf): FoundMetric[] => {
    const uptimeS = parseUptimeS(leaf);
    return uptimeS === undefined
      ? []
      : [{ field: 'uptimeS', value: uptimeS, leaves: [leaf], isCertain: true }];
  });
  const automatic = [
    ...readLiveUsage(measured, chosen.metrics),
    ...readLiveFlows(measured, leaves),
    ...uptime.slice(0, 1),
  ];
  const metrics = [
    ...automatic.filter(({ field }) => places.correctionOf(liveReadings[field]) === undefined),
    ...[...chosen.metrics].map(([field, amount]): FoundMetric => ({ ...amount, field })),
  ].filter(({ field, value }) => isPlausible(liveReadings[field], value));
  const usedLeaves = new Set([...chosen.leaves, ...metrics.flatMap(listUsedLeaves)]);
  const otherLeaves = leaves.filter((leaf) => !usedLeaves.has(leaf));
  const states = otherLeaves.filter(isStateLeaf);
  const stateLeaf = places.correctionOf(liveReadings.state)
    ? undefined
    : preferredState(states, ({ path, value }) => [path.at(-1), value]);
  const words = (stateLeaf ? [stateLeaf, ...states] : []).flatMap(({ path, value }) => {
    const word = toText(toStateWord(value));
    return word === undefined ? [] : [{ path, value: word }];
  });
  const state = stateLeaf ? (formatContradiction(words) ?? words[0]?.value) : chosen.state;
  const load = places.correctionOf(liveReadings.loadAverage) ? chosen.load : readLoadAverage(otherLeaves);
  for (const { field, leaves: from, isCertain } of metrics) {
    for (const { path } of from) places.note(liveReadings[field], { record: undefined, path, isCertain });
  }
  for (const { path } of load.leaves)
    places.note(liveReadings.loadAverage, { record: undefined, path, isCertain: true });
  if (stateLeaf) {
    const isCertain = states.every(({ value }) => value === stateLeaf.value);
    places.note(liveReadings.state, { record: undefined, path: stateLeaf.path, isCertain });
  }
  const unrecognized = otherLeaves.filter(
    (leaf) => leaf !== stateLeaf && !load.leaves.includes(leaf) && !isVpsName(leaf.value),
  );
  return {
    ...(state !== undefined && { state }),
    ...Object.fromEntries(metrics.map(({ field, value }) => [field, value])),
    ...(load.values.length > 0 && { loadAverage: load.values }),
    unrecognized: unrecognized.map(toUnrecognizedField),
    record: toOtherFields(data),
    ...(isCut && { isCut }),
  };
}

/** A share of two amounts doesn't show the amounts, so they are shown too. */
function listUsedLeaves({ field, leaves }: FoundMetric): readonly Leaf[] {
  return field.endsWith('Percent') && leaves.length > 1 ? [] : leaves;
}

function isStateLeaf({ path, value }: Leaf): boolean {
  const [field = '', ...outer] = path.toReversed();
  return (
    typeof value === 'string' &&
    isStateField(field, outer[0]) &&
    outer.every((name) => isStateGroup(name) || isVpsName(name) || isWrapperField(name))
  );
}

function toStateWord(value: unknown): unknown {
  return typeof value === 'string' ? removeMarkup(value) : value;
}

const uptimePattern =
  /^(?:vm|vps|system|guest)?uptime(?:in)?(ms|millis|milliseconds|s|secs?|seconds?|minutes|hours|days)?$/;

function parseUptimeS({ path, value, quantity }: Leaf): number | undefined {
  const [field, unit] = uptimePattern.exec(joinUnwrappedPath(path)) ?? [];
  if (field === undefined || typeof value === 'object') return undefined;
  const uptimeS = parseSeconds(value, quantity?.unit ?? unit);
  return quantity?.unit === undefined && unit === undefined && canBeAvailability(uptimeS)
    ? undefined
    : uptimeS;
}

/** Returns whether an uptime without a unit can be a percentage: 99.98 is hardly one of 100 seconds. */
function canBeAvailability(uptimeS: number | undefined): boolean {
  return uptimeS !== undefined && uptimeS < 100 && !Number.isInteger(uptimeS);
}

function toUnrecognizedField({ path, value }: Leaf): UnrecognizedField {
  return { path, value: typeof value === 'object' ? value.join(', ') : value };
}
