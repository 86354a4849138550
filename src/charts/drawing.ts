import type { EChartsOption } from 'echarts';
import { init } from 'echarts/dist/echarts.esm.min.mjs';
import { words } from './canvas.ts';
import { type TimeSpan, timeSpan } from './lines.ts';
import { type DrawnPanel, drawPanel, plotWidth, type TimeAxis } from './panel.ts';
import type { ChartSpec } from './spec.ts';
import { theme } from './theme.ts';
import { timeTicks } from './time-ticks.ts';
import { createWallClock, writeDayTime, writeTime } from './zoned-time.ts';

/** More would be neither looked at nor taken by Slack. */
const mostPanels = 20;
const mostPoints = 200_000;

const tickWidth = 58;
const halfHourMs = 1_800_000;
const dayMs = 86_400_000;
const bottomMargin = 8;

/** Draws a spec as SVG. Throws if it is too large, or if there is no such zone. */
export function drawSvg(spec: ChartSpec): string {
  const { option, height } = layOut(spec);
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
    words({ ...heading, text: span ? periodOf(span, timeZone) : 'no data', y: 47, size: 13, muted: true }),
  ];
  let top = 64;
  const drawn: DrawnPanel[] = [];
  for (const [index, panel] of panels.entries()) {
    const part = drawPanel(panel, { index, top, time });
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

/** Writes a period with its zone, and a day only once. */
function periodOf({ fromMs, untilMs }: TimeSpan, timeZone: string): string {
  const { wallMsAt } = createWallClock(timeZone);
  const [from, until] = [wallMsAt(fromMs), wallMsAt(untilMs)];
  const isOneDay = Math.floor(from / dayMs) === Math.floor(until / dayMs);
  const end = isOneDay ? writeTime(until) : writeDayTime(until);
  return `${writeDayTime(from)}${fromMs === untilMs ? '' : ` – ${end}`}, ${timeZone}`;
}

function timeAxis(span: TimeSpan | undefined, timeZone: string): TimeAxis {
  if (!span) return { fromMs: 0, untilMs: 1, ticks: [] };
  // One single moment is shown in the middle of an hour.
  const asideMs = span.fromMs === span.untilMs ? halfHourMs : 0;
  const [fromMs, untilMs] = [span.fromMs - asideMs, span.untilMs + asideMs];
  return { fromMs, untilMs, ticks: timeTicks(fromMs, untilMs, { timeZone, most: plotWidth / tickWidth }) };
}
