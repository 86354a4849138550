import type { EChartsOption } from 'echarts';
import { words } from './canvas.ts';
import { formatFigure } from './figures.ts';
import { isAlone, type Line, lineOf, readingsOf } from './lines.ts';
import { drawHead } from './panel-head.ts';
import type { Panel } from './spec.ts';
import { mostSeries, strokeOf, theme } from './theme.ts';
import type { TimeTick } from './time-ticks.ts';
import { valueScale } from './value-scale.ts';

/** The times that all panels of a picture share. */
export interface TimeAxis {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly ticks: readonly TimeTick[];
}

/** A panel as parts of an ECharts option, and the height that it takes. */
export interface DrawnPanel {
  readonly height: number;
  readonly graphics: readonly object[];
  readonly grid: object;
  readonly xAxis: object;
  readonly yAxis: object;
  readonly series: readonly NonNullable<Extract<EChartsOption['series'], readonly unknown[]>>[number][];
}

/** Low, since Slack shows a picture within about 360 px whatever its height: a tall one shrinks until nobody can read it. */
const plotHeight = 54;
const timesHeight = 26;
const gapHeight = 10;
const valuesWidth = 66;
/** Leaves room for half of the last time below it. */
const plotMargin = 22;
export const plotWidth = theme.width - theme.margin - valuesWidth - plotMargin;

interface Place {
  readonly index: number;
  readonly top: number;
  readonly time: TimeAxis;
  /** The times of all panels are written below the last one. */
  readonly isLast: boolean;
}

/** Lays out one panel at a height: its name and newest figures, a legend if it has several series, axes and lines. */
export function drawPanel(panel: Panel, { index, top, time, isLast }: Place): DrawnPanel {
  const lines = panel.series.slice(0, mostSeries).map(lineOf);
  const head = drawHead(panel, lines, top);
  const plotTop = top + head.height + 8;
  const values = lines.flatMap((line) => readingsOf(line).map(([, value]) => value));
  const scale = valueScale(panel.unit, values);
  const place = { gridIndex: index, silent: true, axisTick: { show: false } };
  const label = { fontFamily: theme.font, fontSize: 13, color: theme.mutedText };
  const ticks = time.ticks.map(({ atMs }) => atMs);
  return {
    height: plotTop + plotHeight + (isLast ? timesHeight : gapHeight) - top,
    graphics: values.length > 0 ? head.graphics : [...head.graphics, noData(plotTop)],
    grid: {
      left: theme.margin + valuesWidth,
      top: plotTop,
      width: plotWidth,
      height: plotHeight,
      outerBoundsMode: 'none',
    },
    xAxis: {
      ...place,
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
      ...place,
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
        formatter: (value: number) => formatFigure(value, panel.unit),
      },
    },
    series: lines.map((line, order) => drawLine(line, { index, order, isOnly: lines.length === 1 })),
  };
}

function drawLine(
  line: Line,
  { index, order, isOnly }: { readonly index: number; readonly order: number; readonly isOnly: boolean },
): DrawnPanel['series'][number] {
  const { color, dash } = strokeOf(order);
  return {
    type: 'line',
    xAxisIndex: index,
    yAxisIndex: index,
    silent: true,
    animation: false,
    // Nothing lies outside of the axes, and a line along their edge must not lose half of its breadth.
    clip: false,
    symbol: 'none',
    data: line.map(([timeMs, value], at) => ({
      value: [timeMs, value ?? '-'],
      ...(isAlone(line, at) && { symbol: 'circle', symbolSize: 6 }),
    })),
    itemStyle: { color },
    lineStyle: { color, width: 2, type: dash.length > 0 ? [...dash] : 'solid', cap: 'butt', join: 'round' },
    ...(isOnly && { areaStyle: { color, opacity: 0.12 } }),
  };
}

function noData(plotTop: number): object {
  const [x, y] = [theme.margin + valuesWidth + plotWidth / 2, plotTop + plotHeight / 2];
  return words({ text: 'no data', x, y, size: 15, width: plotWidth, muted: true, align: 'center' });
}
