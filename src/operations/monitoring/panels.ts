import type { Panel } from '../../charts/chart-spec.ts';
import { formatQuantity } from '../../charts/format/format-quantity.ts';
import { parseMeaning } from '../../hosting/payloads/field-words.ts';
import type { RrdSeries } from '../../hosting/payloads/history.ts';
import type { RrdMetric } from '../../hosting/payloads/known-values.ts';

/** Maximum number of panels for unrecognized series. More aren't readable on a phone. */
const maxUnknownPanels = 2;

/**
 * The panels and their metrics. If a panel has no data for its metrics, it shows the metrics in
 * `otherwise` instead, but never a total without the amount used.
 */
const knownPanels: readonly {
  readonly label: string;
  readonly measures: readonly RrdMetric[];
  readonly otherwise?: readonly RrdMetric[];
}[] = [
  { label: 'CPU', measures: ['cpu'] },
  { label: 'Memory', measures: ['memory'], otherwise: ['memoryUsed', 'memoryTotal'] },
  { label: 'Disk', measures: ['disk'], otherwise: ['diskUsed', 'diskTotal'] },
  { label: 'Network', measures: ['networkIn', 'networkOut'] },
  { label: 'Disk transfer', measures: ['diskRead', 'diskWrite'] },
];

const measureLabels: Partial<Record<RrdMetric, string>> = {
  memoryUsed: 'used',
  memoryTotal: 'total',
  diskUsed: 'used',
  diskTotal: 'total',
  networkIn: 'in',
  networkOut: 'out',
  diskRead: 'read',
  diskWrite: 'written',
};

export interface PanelLayout {
  readonly panels: readonly Panel[];
  /** Labels of the series that didn't fit on the chart. */
  readonly omittedLabels: readonly string[];
  /** Unrecognized series whose value is constant, such as the number of cores. They become facts instead of charts. */
  readonly constants: readonly { readonly label: string; readonly value: string }[];
}

/** Groups series into panels: first the known metrics, then a few unrecognized ones. Empty series are left out. */
export function arrangePanels(series: readonly RrdSeries[]): PanelLayout {
  const drawn = series.filter(({ points }) => points.some(({ value }) => value !== null));
  const has = (wanted: RrdMetric) => drawn.some(({ metric }) => metric === wanted);
  const panels = knownPanels.flatMap(({ label, measures, otherwise = [] }) => {
    const best = filterByMeasures(drawn, measures);
    const [used] = otherwise;
    const hasUsed = used !== undefined && has(used);
    return createPanels(label, best.length > 0 || !hasUsed ? best : filterByMeasures(drawn, otherwise));
  });
  const isLoneSize = ({ metric }: RrdSeries) =>
    (metric === 'memoryTotal' && !has('memoryUsed')) || (metric === 'diskTotal' && !has('diskUsed'));
  const unknown = drawn.filter((one) => one.metric === undefined || isLoneSize(one));
  const moving =
    panels.length === 0 ? unknown : unknown.filter((one) => findConstantValue(one) === undefined);
  return {
    panels: [
      ...panels,
      ...moving
        .slice(0, maxUnknownPanels)
        .map(({ label, unit, points }) => ({ label, unit, series: [{ label, points }] })),
    ],
    omittedLabels: moving.slice(maxUnknownPanels).map(({ label }) => label),
    constants: unknown.flatMap((one) => {
      const value = moving.includes(one) ? undefined : findConstantValue(one);
      return value === undefined ? [] : [{ label: formatLabel(one), value: formatQuantity(value, one.unit) }];
    }),
  };
}

/** Returns the label of a series. The service's name for the core count is replaced, because it is technical. */
function formatLabel({ key, label }: RrdSeries): string {
  return parseMeaning([key])?.subject === 'cores' ? 'CPU cores' : label;
}

/** Returns the value of a constant series, or undefined if the value changes. */
function findConstantValue({ points }: RrdSeries): number | undefined {
  const values = new Set(points.flatMap(({ value }) => value ?? []));
  const [first] = values;
  return values.size === 1 ? first : undefined;
}

function filterByMeasures(
  series: readonly RrdSeries[],
  measures: readonly RrdMetric[],
): readonly RrdSeries[] {
  return measures.flatMap((wanted) => series.filter(({ metric }) => metric === wanted));
}

/** Creates one panel per unit, because the values in a panel need the same unit. */
function createPanels(label: string, series: readonly RrdSeries[]): readonly Panel[] {
  const byUnit = Map.groupBy(series, ({ unit }) => unit);
  return [...byUnit].map(([unit, together]) => ({
    label,
    unit,
    series: together.map(({ label: own, metric, points }, index) => {
      const isTwin = together.findIndex((other) => other.metric === metric) !== index;
      const name = (metric && !isTwin && measureLabels[metric]) || own;
      return { label: name, points };
    }),
  }));
}
