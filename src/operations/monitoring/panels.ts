import type { Panel } from '../../charts/spec.ts';
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
}

/** Arranges series in panels: what is known first, then a few that nobody has heard of. Series without any point are left out. */
export function arrangePanels(series: readonly RrdSeries[]): Panels {
  const drawn = series.filter(({ points }) => points.some(({ value }) => value !== null));
  const panels = known.flatMap(({ label, measures, otherwise = [] }) => {
    const best = ofMeasures(drawn, measures);
    return panelsOf(label, best.length > 0 ? best : ofMeasures(drawn, otherwise));
  });
  const unknown = drawn.filter(({ measure }) => measure === undefined);
  return {
    panels: [
      ...panels,
      ...unknown
        .slice(0, mostUnknown)
        .map(({ label, unit, points }) => ({ label, unit, series: [{ label, points }] })),
    ],
    left: unknown.slice(mostUnknown).map(({ label }) => label),
  };
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
