import type { Leaf } from '../payload/leaves.ts';
import { type Correction, combineValues, parseTwoFields, toReadingNumber } from '../readings/correction.ts';
import { formatAddress } from '../readings/field-address.ts';
import { liveReadings } from '../readings/metric-readings.ts';
import type { Places } from '../readings/places.ts';
import type { Reading } from '../readings/reading.ts';
import { toText } from '../values/records.ts';
import type { ChosenMetrics, FoundAmount, MetricField } from './found-metric.ts';
import { type FoundLoad, parseNumbers } from './live/load-average.ts';

interface ChosenLive {
  readonly metrics: ChosenMetrics;
  readonly state?: string | undefined;
  readonly load: FoundLoad;
  /** The leaves that are used only for the readings that a person chose. */
  readonly leaves: ReadonlySet<Leaf>;
}

const metricReadings = Object.entries(liveReadings).filter(
  ([field]) => field !== 'state' && field !== 'loadAverage',
) as readonly (readonly [MetricField, Reading])[];

/** Reads the metrics of live data whose fields a person chose. */
export function readChosenMetrics(leaves: readonly Leaf[], places: Places): ChosenLive {
  const used = new Set<Leaf>();
  const find = (field: string) => leaves.find(({ path }) => formatAddress(path) === field);
  const findOwn = (correction: Correction | undefined) => {
    const leaf = correction && find(correction.field);
    if (leaf) used.add(leaf);
    return leaf;
  };
  const metrics = metricReadings.flatMap(([field, reading]): [MetricField, FoundAmount][] => {
    const correction = places.correctionOf(reading);
    const two = correction && parseTwoFields(correction.field);
    const from = two ? [find(two.left), find(two.right)] : [findOwn(correction)];
    const [left, right] = from.map((leaf) => leaf && toChosenValue(leaf));
    const value =
      two === undefined
        ? left && toReadingNumber(reading, left, correction?.unit)
        : left && right && combineValues(reading, [left, right], two.operator, correction?.unit);
    const own = from.filter((leaf) => leaf !== undefined);
    return value === undefined ? [] : [[field, { value, leaves: own, isCertain: true }]];
  });
  const state = findOwn(places.correctionOf(liveReadings.state))?.value;
  const load = findOwn(places.correctionOf(liveReadings.loadAverage));
  return {
    metrics: new Map(metrics),
    state: toText(state),
    load: load ? { values: parseNumbers(load.value), leaves: [load] } : { values: [], leaves: [] },
    leaves: used,
  };
}

function toChosenValue({ path, value, quantity }: Leaf) {
  const withUnit = quantity?.unit === undefined ? value : { value: quantity.value, unit: quantity.unit };
  return { name: path.at(-1) ?? '', value: withUnit };
}
