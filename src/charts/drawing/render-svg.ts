import type { EChartsOption } from 'echarts';
import { init } from 'echarts/dist/echarts.esm.min.mjs';
import type { ChartSpec, LineChartSpec } from '../chart-spec.ts';
import { formatPeriod } from '../format/format-period.ts';
import { findTimeSpan, type TimeSpan } from '../line.ts';
import { drawText, drawTitle } from './canvas.ts';
import { layOutHeatmap } from './heatmap.ts';
import { type DrawnPanel, drawPanel, plotWidth, type TimeAxis } from './panel.ts';
import { theme } from './theme.ts';
import { buildTimeTicks } from './time-ticks.ts';

/** Maximum number of panels. With more, the chart would be unreadable, and Slack wouldn't accept it. */
const maxPanels = 20;
const maxPoints = 200_000;

const tickWidth = 58;
const halfHourMs = 1_800_000;
const bottomMargin = 8;

/** Draws a spec as SVG. Throws if the spec is too large, the time zone is unknown, or a heatmap's period is empty. */
export function renderSvg(spec: ChartSpec): string {
  const { option, height } = spec.kind === 'heatmap' ? layOutHeatmap(spec) : layOutLineChart(spec);
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: theme.width, height });
  try {
    chart.setOption(option);
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

function layOutLineChart({ title, panels, timeZone }: LineChartSpec): {
  option: EChartsOption;
  height: number;
} {
  const points = panels.flatMap(({ series }) => series).reduce((sum, each) => sum + each.points.length, 0);
  if (panels.length > maxPanels) throw new Error(`a chart has at most ${maxPanels} panels`);
  if (points > maxPoints) throw new Error(`a chart has at most ${maxPoints} points`);
  const span = findTimeSpan(panels);
  const time = createTimeAxis(span, timeZone);
  const inner = theme.width - 2 * theme.margin;
  const heading = { x: theme.margin, width: inner };
  const graphics: object[] = [
    drawTitle(title, heading),
    drawText({
      ...heading,
      text: span ? formatPeriod(span, timeZone) : 'no data',
      y: 47,
      size: 13,
      muted: true,
    }),
  ];
  let top = 64;
  const drawn: DrawnPanel[] = [];
  for (const [index, panel] of panels.entries()) {
    const part = drawPanel(panel, { index, top, time, isLast: index === panels.length - 1 });
    drawn.push(part);
    top += part.height;
  }
  const option = {
    animation: false,
    backgroundColor: theme.background,
    graphic: [...graphics, ...drawn.flatMap((part) => part.graphics)],
    grid: drawn.map(({ grid }) => grid),
    xAxis: drawn.map(({ xAxis }) => xAxis),
    yAxis: drawn.map(({ yAxis }) => yAxis),
    series: drawn.flatMap(({ series }) => series),
  };
  return { option, height: top + bottomMargin };
}

function createTimeAxis(span: TimeSpan | undefined, timeZone: string): TimeAxis {
  if (!span) return { fromMs: 0, untilMs: 1, ticks: [] };
  // A single point is drawn in the middle of an hour.
  const paddingMs = span.fromMs === span.untilMs ? halfHourMs : 0;
  const [fromMs, untilMs] = [span.fromMs - paddingMs, span.untilMs + paddingMs];
  return {
    fromMs,
    untilMs,
    ticks: buildTimeTicks(fromMs, untilMs, { timeZone, maxTicks: plotWidth / tickWidth }),
  };
}
