import type { EChartsOption } from 'echarts';
import { init } from 'echarts/dist/echarts.esm.min.mjs';
import { words } from './canvas.ts';
import { layOutFleet } from './fleet.ts';
import type { PictureSpec } from './fleet-spec.ts';
import { type TimeSpan, timeSpan } from './lines.ts';
import { type DrawnPanel, drawPanel, plotWidth, type TimeAxis } from './panel.ts';
import { writePeriod } from './period.ts';
import type { ChartSpec } from './spec.ts';
import { theme } from './theme.ts';
import { timeTicks } from './time-ticks.ts';

/** More would be neither looked at nor taken by Slack. */
const mostPanels = 20;
const mostPoints = 200_000;

const tickWidth = 58;
const halfHourMs = 1_800_000;
const bottomMargin = 8;

/** Draws a spec as SVG. Throws if it is too large, if there is no such zone, or, of a fleet, if its period has no length. */
export function drawSvg(spec: PictureSpec): string {
  const { option, height } = 'rows' in spec ? layOutFleet(spec) : layOut(spec);
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: theme.width, height });
  try {
    chart.setOption(option);
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

function layOut({ title, panels, timeZone }: ChartSpec): { option: EChartsOption; height: number } {
  const points = panels.flatMap(({ series }) => series).reduce((sum, one) => sum + one.points.length, 0);
  if (panels.length > mostPanels) throw new Error(`a picture has at most ${mostPanels} panels`);
  if (points > mostPoints) throw new Error(`a picture has at most ${mostPoints} points`);
  const span = timeSpan(panels);
  const time = timeAxis(span, timeZone);
  const inner = theme.width - 2 * theme.margin;
  const heading = { x: theme.margin, width: inner };
  const graphics: object[] = [
    words({ ...heading, text: title, y: 24, size: 20, bold: true }),
    words({ ...heading, text: span ? writePeriod(span, timeZone) : 'no data', y: 47, size: 13, muted: true }),
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

function timeAxis(span: TimeSpan | undefined, timeZone: string): TimeAxis {
  if (!span) return { fromMs: 0, untilMs: 1, ticks: [] };
  // One single moment is shown in the middle of an hour.
  const asideMs = span.fromMs === span.untilMs ? halfHourMs : 0;
  const [fromMs, untilMs] = [span.fromMs - asideMs, span.untilMs + asideMs];
  return { fromMs, untilMs, ticks: timeTicks(fromMs, untilMs, { timeZone, most: plotWidth / tickWidth }) };
}
