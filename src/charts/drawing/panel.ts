import type { EChartsOption } from 'echarts';
import type { Panel, Unit } from '../chart-spec.ts';
import { formatQuantity } from '../format/format-quantity.ts';
import { isIsolated, type Line, toLine, toSamples } from '../line.ts';
import { drawSwatch, drawText } from './canvas.ts';
import { getStroke, maxSeries, theme } from './theme.ts';
import type { TimeTick } from './time-ticks.ts';

export interface TimeAxis {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly ticks: readonly TimeTick[];
}

export interface DrawnPanel {
  readonly height: number;
  readonly graphics: readonly object[];
  readonly grid: object;
  readonly xAxis: object;
  readonly yAxis: object;
  readonly series: readonly NonNullable<Extract<EChartsOption['series'], readonly unknown[]>>[number][];
}

/** Low, because Slack shrinks a tall chart to about 360 px, which would make it unreadable. */
const plotHeight = 54;
const timesHeight = 26;
const gapHeight = 10;
const valuesWidth = 66;
/** Leaves room for half of the last time label. */
const plotMargin = 22;
export const plotWidth = theme.width - theme.margin - valuesWidth - plotMargin;

interface PanelPosition {
  readonly index: number;
  readonly top: number;
  readonly time: TimeAxis;
  /** Whether this is the last panel, which is the only one that shows the times. */
  readonly isLast: boolean;
}

export function drawPanel(panel: Panel, { index, top, time, isLast }: PanelPosition): DrawnPanel {
  const lines = panel.series.slice(0, maxSeries).map(toLine);
  const head = drawPanelHeader(panel, lines, top);
  const plotTop = top + head.height + 8;
  const values = lines.flatMap((line) => toSamples(line).map(([, value]) => value));
  const scale = buildValueScale(panel.unit, values);
  const axis = { gridIndex: index, silent: true, axisTick: { show: false } };
  const label = { fontFamily: theme.font, fontSize: 13, color: theme.mutedText };
  const ticks = time.ticks.map(({ atMs }) => atMs);
  return {
    height: plotTop + plotHeight + (isLast ? timesHeight : gapHeight) - top,
    graphics: values.length > 0 ? head.graphics : [...head.graphics, drawNoData(plotTop)],
    grid: {
      left: theme.margin + valuesWidth,
      top: plotTop,
      width: plotWidth,
      height: plotHeight,
      outerBoundsMode: 'none',
    },
    xAxis: {
      ...axis,
      type: 'value',
      min: time.fromMs,
      max: time.untilMs,
      axisTick: { show: true, length: 4, customValues: ticks, lineStyle: { color: theme.baseline } },
      axisLine: { onZero: false, lineStyle: { color: theme.baseline } },
      splitLine: { show: true, lineStyle: { color: theme.rule, type: [2, 3] } },
      axisLabel: {
        ...label,
        show: isLast,
        margin: 9,
        customValues: ticks,
        formatter: (atMs: number) => time.ticks.find((tick) => tick.atMs === atMs)?.label ?? '',
      },
    },
    yAxis: {
      ...axis,
      type: 'value',
      min: scale.min,
      max: scale.max,
      interval: values.length > 0 ? scale.step : scale.max - scale.min,
      axisLine: { show: false },
      splitLine: { lineStyle: { color: theme.rule } },
      axisLabel: {
        ...label,
        show: values.length > 0,
        margin: 8,
        formatter: (value: number) => formatQuantity(value, panel.unit),
      },
    },
    series: lines.map((line, order) => drawLine(line, { index, order, isOnly: lines.length === 1 })),
  };
}

function drawLine(
  line: Line,
  { index, order, isOnly }: { readonly index: number; readonly order: number; readonly isOnly: boolean },
): DrawnPanel['series'][number] {
  const { color, dash } = getStroke(order);
  return {
    type: 'line',
    xAxisIndex: index,
    yAxisIndex: index,
    silent: true,
    animation: false,
    // Clipping would halve the width of a line along the edge.
    clip: false,
    symbol: 'none',
    data: line.map(([timeMs, value], at) => ({
      value: [timeMs, value ?? '-'],
      ...(isIsolated(line, at) && { symbol: 'circle', symbolSize: 6 }),
    })),
    itemStyle: { color },
    lineStyle: { color, width: 2, type: dash.length > 0 ? [...dash] : 'solid', cap: 'butt', join: 'round' },
    ...(isOnly && { areaStyle: { color, opacity: 0.12 } }),
  };
}

function drawNoData(plotTop: number): object {
  const [x, y] = [theme.margin + valuesWidth + plotWidth / 2, plotTop + plotHeight / 2];
  return drawText({ text: 'no data', x, y, size: 15, width: plotWidth, muted: true, align: 'center' });
}

/** An axis's range. `min` and `max` are multiples of `step`. */
interface ValueScale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

const maxSteps = 3;
/** Minimum magnitude of a value. Values closer to zero are drawn as zero. */
const minMagnitude = 1e-100;
const decimalSteps = [1, 2, 5, 10];
/** Round numbers in a binary unit. 256 and 512 are a quarter and a half of the next unit. */
const binarySteps = [0.5, 1, 2, 5, 10, 20, 50, 100, 256, 512];

/**
 * Returns an axis that includes zero and has two or three steps. A percent axis ends at 100 if
 * possible; bytes get binary steps.
 */
export function buildValueScale(unit: Unit, values: readonly number[]): ValueScale {
  let low = 0;
  let high = 0;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (unit === 'percent' && low === 0 && high <= 100) return { min: 0, max: 100, step: 50 };
  const largest = Math.max(-low, high);
  const step = largest < minMagnitude ? 1 : niceStep(unit, largest);
  const min = Math.floor(low / step) * step + 0;
  return { min, max: Math.max(Math.ceil(high / step) * step, min + step), step };
}

function niceStep(unit: Unit, largest: number): number {
  const isBinary = unit === 'bytes' || unit === 'bytesPerSecond';
  const base = isBinary ? 1024 : 10;
  const power = isBinary
    ? Math.max(0, Math.floor(Math.log2(largest) / 10))
    : Math.floor(Math.log10(largest / maxSteps));
  const size = base ** power;
  const steps = isBinary ? binarySteps : decimalSteps;
  return (
    (steps.find((step) => largest / size <= step * maxSteps) ?? Math.ceil(largest / size / maxSteps)) * size
  );
}

const nameHeight = 24;
const legendRowHeight = 20;
/** Width of one character in a value, with some margin. */
const valueCharWidth = 6.6;
/** Maximum length of a short name. If any name is longer, each series gets its own legend row. */
const maxShortNameChars = 8;
const columnGap = 16;
const swatchWidth = 24;
/** Width of the longest value, `-1.23 MiB/s`. */
const valueWidth = 76;
const innerWidth = theme.width - 2 * theme.margin;
const rightEdge = theme.width - theme.margin;

/** Draws a panel's name and latest values. Several series get a legend. */
function drawPanelHeader(
  panel: Panel,
  lines: readonly Line[],
  top: number,
): { readonly height: number; readonly graphics: readonly object[] } {
  const name = { text: panel.label, x: theme.margin, y: top + nameHeight / 2, size: 16, bold: true };
  const note = panel.series.length > 1 ? formatLegendNote(panel, lines) : formatLatestAndMax(panel, lines);
  const noteWidth = note.length * valueCharWidth;
  const legend = lines.length > 1 ? drawLegend(panel, lines, top + nameHeight) : { height: 0, graphics: [] };
  return {
    height: nameHeight + legend.height,
    graphics: [
      drawText({ ...name, width: innerWidth - noteWidth }),
      drawText({ text: note, x: rightEdge, y: name.y, size: 13, width: innerWidth, align: 'right' }),
      ...legend.graphics,
    ],
  };
}

/** Returns a note that says what the legend's values are and how many series aren't drawn. */
function formatLegendNote({ series }: Panel, lines: readonly Line[]): string {
  const hasValues = lines.some((line) => toSamples(line).length > 0);
  return [
    ...(hasValues ? ['last values'] : []),
    ...(series.length > lines.length ? [`and ${series.length - lines.length} more`] : []),
  ].join(' · ');
}

function formatLatestAndMax({ unit }: Panel, lines: readonly Line[]): string {
  const values = toSamples(lines[0] ?? []).map(([, value]) => value);
  const latest = values.at(-1);
  if (latest === undefined) return '';
  const lastText = `last ${formatQuantity(latest, unit)}`;
  if (values.length === 1) return lastText;
  const highest = values.reduce((high, value) => Math.max(high, value));
  return `${lastText} · max ${formatQuantity(highest, unit)}`;
}

/** Draws each series' line sample, name and latest value. Short names go two to a row. */
function drawLegend({ unit, series }: Panel, lines: readonly Line[], top: number) {
  const names = lines.map((_, index) => series[index]?.label ?? '');
  const columns = names.every(({ length }) => length <= maxShortNameChars) ? 2 : 1;
  const width = (innerWidth - (columns - 1) * columnGap) / columns;
  const graphics = lines.flatMap((line, index) => {
    const x = theme.margin + (index % columns) * (width + columnGap);
    const y = top + (Math.floor(index / columns) + 0.5) * legendRowHeight;
    const nameX = x + swatchWidth + 6;
    const latest = toSamples(line).at(-1)?.[1];
    const valueText = latest === undefined ? 'no data' : formatQuantity(latest, unit);
    return [
      drawSwatch(getStroke(index), { x, y, width: swatchWidth }),
      drawText({ text: names[index] ?? '', x: nameX, y, size: 13, width: x + width - valueWidth - nameX }),
      drawText({ text: valueText, x: x + width, y, size: 13, width, align: 'right' }),
    ];
  });
  return { height: Math.ceil(lines.length / columns) * legendRowHeight, graphics };
}
