import { formatFigure } from '../../charts/figures.ts';
import type { Panel } from '../../charts/spec.ts';
import { meaningOf } from '../../hosting/readings/measures.ts';
import type { Measure, RrdSeries } from '../../hosting/readings/rrd.ts';

/** Panels of what nobody has heard of: more would be too small to be read on a phone. */
const mostUnknown = 2;

/** What a panel shows: the measures that stand together, and what it shows where there are none of them. */
const known: readonly {
  readonly label: string;
  readonly measures: readonly Measure[];
  readonly otherwise?: readonly Measure[];
}[] = [
  { label: 'CPU', measures: ['cpu'] },
  { label: 'Memory', measures: ['memory'], otherwise: ['memoryUsed', 'memoryTotal'] },
  { label: 'Disk', measures: ['disk'], otherwise: ['diskUsed', 'diskTotal'] },
  { label: 'Network', measures: ['networkIn', 'networkOut'] },
  { label: 'Disk transfer', measures: ['diskRead', 'diskWrite'] },
];

const measureLabels: Partial<Record<Measure, string>> = {
  memoryUsed: 'used',
  memoryTotal: 'in all',
  diskUsed: 'used',
  diskTotal: 'in all',
  networkIn: 'in',
  networkOut: 'out',
  diskRead: 'read',
  diskWrite: 'written',
};

export interface Panels {
  readonly panels: readonly Panel[];
  /** Names of series that there is no room for. */
  readonly left: readonly string[];
  /** What nobody has heard of and never changes, such as a number of cores: a picture of it would say less than its figure. */
  readonly steady: readonly { readonly label: string; readonly value: string }[];
}

/** Arranges series in panels: what is known first, then a few that nobody has heard of. Series without any point are left out. */
export function arrangePanels(series: readonly RrdSeries[]): Panels {
  const drawn = series.filter(({ points }) => points.some(({ value }) => value !== null));
  const panels = known.flatMap(({ label, measures, otherwise = [] }) => {
    const best = ofMeasures(drawn, measures);
    return panelsOf(label, best.length > 0 ? best : ofMeasures(drawn, otherwise));
  });
  const unknown = drawn.filter(({ measure }) => measure === undefined);
  const moving = panels.length === 0 ? unknown : unknown.filter((one) => steadyValue(one) === undefined);
  return {
    panels: [
      ...panels,
      ...moving
        .slice(0, mostUnknown)
        .map(({ label, unit, points }) => ({ label, unit, series: [{ label, points }] })),
    ],
    left: moving.slice(mostUnknown).map(({ label }) => label),
    steady: unknown.flatMap((one) => {
      const value = moving.includes(one) ? undefined : steadyValue(one);
      return value === undefined ? [] : [{ label: labelOf(one), value: formatFigure(value, one.unit) }];
    }),
  };
}

/** The service's own name of it is a word of machines. */
function labelOf({ key, label }: RrdSeries): string {
  return meaningOf([key])?.subject === 'cores' ? 'CPU cores' : label;
}

/** Gives the value of a series that has never another. */
function steadyValue({ points }: RrdSeries): number | undefined {
  const values = new Set(points.flatMap(({ value }) => value ?? []));
  const [first] = values;
  return values.size === 1 ? first : undefined;
}

function ofMeasures(series: readonly RrdSeries[], measures: readonly Measure[]): readonly RrdSeries[] {
  return measures.flatMap((wanted) => series.filter(({ measure }) => measure === wanted));
}

/** A panel has one unit: series of another have one of their own. */
function panelsOf(label: string, series: readonly RrdSeries[]): readonly Panel[] {
  const byUnit = Map.groupBy(series, ({ unit }) => unit);
  return [...byUnit].map(([unit, together]) => ({
    label,
    unit,
    series: together.map(({ label: own, measure, points }, index) => {
      const isTwin = together.findIndex((other) => other.measure === measure) !== index;
      const name = (measure && !isTwin && measureLabels[measure]) || own;
      return { label: name, points };
    }),
  }));
}
