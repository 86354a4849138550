import { collectLeaves, type Leaf } from '../payload/leaves.ts';
import { toOtherFields } from '../payload/list-finder.ts';
import { maxUptimeS, parseSeconds } from '../values/durations.ts';
import { parseNumber } from '../values/numbers.ts';
import {
  isAboutAnotherVps,
  isStateField,
  isStateGroup,
  isVpsName,
  normalizeFieldName,
  preferredState,
  type ServiceRecord,
} from '../values/records.ts';
import { isWrapperField, parseFieldMeaning } from './field-meaning.ts';
import { type FlowMetrics, readLiveFlows } from './live-flows.ts';
import { readLiveUsage, type UsageMetrics } from './live-usage.ts';
import type { LeafMeasurement } from './measurements.ts';

/**
 * A VPS's current metrics that could be found in an undocumented payload. A flow is a rate, or a
 * total since the VPS started.
 */
export interface LiveMetrics extends UsageMetrics, FlowMetrics {
  /** The state in the service's own words. */
  readonly state?: string;
  readonly uptimeS?: number;
  /** Averages over 1, 5 and 15 minutes. The last ones can be missing. */
  readonly loadAverage?: readonly number[];
  /** Fields whose meaning is unknown. Possible secrets are left out. */
  readonly unrecognized: readonly UnrecognizedField[];
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
export function readLiveMetrics(data: unknown, vpsName?: string): LiveMetrics {
  const leaves = collectLeaves(data).filter(({ path }) => !isAboutAnotherVps(path, vpsName));
  const measured = leaves.flatMap((leaf): LeafMeasurement[] => {
    const meaning = leaf.quantity && leaf.quantity.value >= 0 ? parseFieldMeaning(leaf.path) : undefined;
    return leaf.quantity && meaning ? [{ leaf, meaning, quantity: leaf.quantity }] : [];
  });
  const usage = readLiveUsage(measured);
  const flows = readLiveFlows(measured, leaves);
  const otherLeaves = leaves.filter((leaf) => !usage.usedLeaves.has(leaf) && !flows.usedLeaves.has(leaf));
  const state = preferredState(otherLeaves.filter(isStateLeaf), ({ path, value }) => [path.at(-1), value]);
  const uptime = otherLeaves
    .map((leaf) => ({ leaf, uptimeS: parseUptimeS(leaf) }))
    .find(({ uptimeS }) => uptimeS !== undefined);
  const load = readLoadAverage(otherLeaves);
  const unrecognized = otherLeaves.filter(
    (leaf) =>
      leaf !== state && leaf !== uptime?.leaf && !load.leaves.includes(leaf) && !isVpsName(leaf.value),
  );
  return {
    ...(typeof state?.value === 'string' && { state: state.value }),
    ...(uptime?.uptimeS !== undefined && { uptimeS: uptime.uptimeS }),
    ...usage.metrics,
    ...flows.metrics,
    ...(load.values.length > 0 && { loadAverage: load.values }),
    unrecognized: unrecognized.map(toUnrecognizedField),
    record: toOtherFields(data),
  };
}

function isStateLeaf({ path, value }: Leaf): boolean {
  const [field = '', ...outer] = path.toReversed();
  return (
    typeof value === 'string' &&
    isStateField(field, outer[0]) &&
    outer.every((name) => isStateGroup(name) || isVpsName(name) || isWrapperField(name))
  );
}

/**
 * Joins the normalized field names of a path, without wrapper fields. Any name that remains means
 * that the value belongs to a part of the VPS.
 */
function joinUnwrappedPath(path: readonly string[]): string {
  return path
    .filter((field) => !isWrapperField(field))
    .map(normalizeFieldName)
    .join('');
}

const uptimePattern =
  /^(?:vm|vps|system|guest)?uptime(?:in)?(ms|millis|milliseconds|s|secs?|seconds?|minutes|hours|days)?$/;

function parseUptimeS({ path, value, quantity }: Leaf): number | undefined {
  const [field, unit] = uptimePattern.exec(joinUnwrappedPath(path)) ?? [];
  if (field === undefined || typeof value === 'object') return undefined;
  const uptimeS = parseSeconds(value, quantity?.unit ?? unit);
  return uptimeS !== undefined && uptimeS <= maxUptimeS ? uptimeS : undefined;
}

const loadPattern = /^(?:sys|system)?load(?:avg|average|averages)?$/;
const loadPeriodPattern = /^(?:sys|system)?load(?:avg|average|averages)?(1|5|15)(?:m|min|minutes?)?$/;

/** Reads load averages from a list or string of up to three numbers, or from one field for each. */
function readLoadAverage(leaves: readonly Leaf[]): {
  readonly values: readonly number[];
  readonly leaves: readonly Leaf[];
} {
  for (const leaf of leaves) {
    const values = loadPattern.test(joinUnwrappedPath(leaf.path)) ? parseNumbers(leaf.value) : [];
    // A single number named `load` can be a percentage.
    const isNamed = values.length > 1 || !/load$/.test(joinUnwrappedPath(leaf.path));
    if (values.length > 0 && values.length <= 3 && isNamed) return { values, leaves: [leaf] };
  }
  const found = leaves.flatMap((leaf) => {
    const [, minutes] = loadPeriodPattern.exec(joinUnwrappedPath(leaf.path)) ?? [];
    const value = parseNumber(leaf.value);
    return minutes === undefined || value === undefined || value < 0
      ? []
      : [{ leaf, minutes: Number(minutes), value }];
  });
  const sorted = found.toSorted((a, b) => a.minutes - b.minutes);
  return { values: sorted.map(({ value }) => value), leaves: sorted.map(({ leaf }) => leaf) };
}

function parseNumbers(value: Leaf['value']): number[] {
  const parts = typeof value === 'string' ? value.split(/[\s,/]+/) : [value].flat();
  const numbers = parts.map(parseNumber);
  const isLoad = numbers.every((number) => number !== undefined && number >= 0);
  return isLoad ? numbers.flatMap((number) => number ?? []) : [];
}

function toUnrecognizedField({ path, value }: Leaf): UnrecognizedField {
  return { path, value: typeof value === 'object' ? value.join(', ') : value };
}
