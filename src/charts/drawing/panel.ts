import type { EChartsOption } from 'echarts';
import type { Panel } from '../chart-spec.ts';
import { formatQuantity } from '../format/format-quantity.ts';
import { isIsolated, type Line, toLine, toSamples } from '../line.ts';
import { drawText } from './canvas.ts';
import { drawPanelHeader } from './panel-header.ts';
import { getStroke, maxSeries, theme } from './theme.ts';
import type { TimeTick } from './time-ticks.ts';
import { buildValueScale } from './value-scale.ts';

/** The time axis that all panels share. */
export interface TimeAxis {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly ticks: readonly TimeTick[];
}

/** A panel's part of the ECharts option, and its height. */
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
/** Leaves room for half of the last time's label. */
const plotMargin = 22;
export const plotWidth = theme.width - theme.margin - valuesWidth - plotMargin;

interface PanelPosition {
  readonly index: number;
  readonly top: number;
  readonly time: TimeAxis;
  /** Only the last panel shows the times. */
  readonly isLast: boolean;
}

/** Lays out one panel: its header, axes and lines. */
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
