import type { EChartsOption } from 'echarts';
import { words } from './canvas.ts';
import { formatPercent } from './figures.ts';
import { type FleetRow, type FleetSpec, mostFleetRows } from './fleet-spec.ts';
import { bands, bar, drawStrip, gapLine, type Strip } from './heat.ts';
import { lineOf, readingsOf } from './lines.ts';
import { writePeriod } from './period.ts';
import { theme } from './theme.ts';
import { timeTicks } from './time-ticks.ts';

const right = theme.width - theme.margin;
const inner = theme.width - 2 * theme.margin;
const namesWidth = 84;
const figuresWidth = 46;
const strips = { x: theme.margin + namesWidth, width: inner - namesWidth - figuresWidth };

/** Few enough to be named all: Slack shows a picture within about 360 px whatever its height. */
const mostNamed = 14;
/** Of more than those, so many are named, and the others are thin strips below. */
const namedOfMany = 10;
const rowHeight = 18;
const rowGap = 3;
const thinHeight = 4;
const thinGap = 1;
const tickWidth = 48;
const legendHeight = 9;

/** Lays out a fleet's picture: a strip for each, the busiest on top, with names, highest figures, times and a legend. */
export function layOutFleet(spec: FleetSpec): { option: EChartsOption; height: number } {
  const { title, measure, fromMs, untilMs, timeZone } = spec;
  if (!(untilMs > fromMs)) throw new Error('a fleet is drawn over a period that has a length');
  const rows = spec.rows.slice(0, mostFleetRows);
  const named = rows.slice(0, rows.length > mostNamed ? namedOfMany : mostNamed);
  const heading = { x: theme.margin, width: inner };
  const period = writePeriod({ fromMs, untilMs }, timeZone);
  const head = { y: 67, size: 13, muted: true };
  const top = 78;
  const thinTop = top + named.length * rowHeight;
  const thin = drawThin(rows.slice(named.length), spec, thinTop);
  const bottom = rows.length > 0 ? thinTop + thin.height : top + 2 * rowHeight;
  const graphics = [
    words({ ...heading, text: title, y: 24, size: 20, bold: true }),
    words({ ...heading, text: period, y: 46, size: 13, muted: true }),
    words({ ...head, text: countOf(spec, rows.length), x: strips.x, width: strips.width }),
    words({ ...head, text: measure, x: theme.margin, width: namesWidth - 4, muted: false, bold: true }),
    words({ ...head, text: 'max', x: right, width: figuresWidth, align: 'right' }),
    ...named.flatMap((row, index) =>
      drawRow(row, spec, { ...strips, y: top + index * rowHeight, height: rowHeight }),
    ),
    ...thin.graphics,
    ...(rows.length > 0 ? [] : [noRows(top + rowHeight)]),
    ...(rows.length > 0 ? drawTimes(spec, { top, bottom }) : []),
    ...drawLegend(bottom + 30),
  ];
  const option = { animation: false, backgroundColor: theme.background, graphic: graphics };
  return { option, height: bottom + 62 };
}

function countOf({ rows, total }: FleetSpec, drawn: number): string {
  const all = Math.max(total, rows.length);
  return drawn < all ? `the ${drawn} busiest of ${all}` : 'darker is busier';
}

function noRows(y: number): object {
  return words({
    text: 'no data',
    x: theme.width / 2,
    y,
    size: 15,
    width: inner,
    muted: true,
    align: 'center',
  });
}

/** Draws what has no room for names: enough to see at a glance whether the others are busy too. */
function drawThin(rows: readonly FleetRow[], spec: FleetSpec, top: number) {
  if (rows.length === 0) return { height: 0, graphics: [] };
  const first = top + 5;
  const height = thinHeight - thinGap;
  const text = `next ${rows.length}`;
  return {
    height: rows.length * thinHeight + 5,
    graphics: [
      words({ text, x: theme.margin, y: first + 7, size: 13, width: namesWidth - 4, muted: true }),
      ...rows.flatMap(({ points }, index) =>
        drawStrip(points, spec, { ...strips, y: first + index * thinHeight, height }),
      ),
    ],
  };
}

function drawRow({ label, standsOut = false, points }: FleetRow, spec: FleetSpec, strip: Strip): object[] {
  const y = strip.y + strip.height / 2;
  const size = 13;
  const during = points.filter(({ timeMs }) => timeMs >= spec.fromMs && timeMs <= spec.untilMs);
  const values = readingsOf(lineOf({ label, points: during })).map(([, value]) => value);
  const figure = values.length === 0 ? '–' : formatPercent(values.reduce((a, b) => Math.max(a, b)));
  const figures = { text: figure, x: right, y, size, width: figuresWidth, muted: !standsOut };
  return [
    words({ text: label, x: theme.margin, y, size, width: namesWidth - 4, bold: standsOut }),
    ...drawStrip(points, spec, { ...strip, y: strip.y + rowGap / 2, height: strip.height - rowGap }),
    words({ ...figures, bold: standsOut, align: 'right' }),
  ];
}

function drawTimes(
  { fromMs, untilMs, timeZone }: FleetSpec,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): object[] {
  const ticks = timeTicks(fromMs, untilMs, { timeZone, most: strips.width / tickWidth });
  return ticks.flatMap(({ atMs, label }) => {
    const x = strips.x + ((atMs - fromMs) / (untilMs - fromMs)) * strips.width;
    return [
      {
        type: 'line',
        silent: true,
        shape: { x1: x, y1: top - 2, x2: x, y2: bottom + 5 },
        style: { stroke: theme.baseline, lineWidth: 1, lineDash: [2, 3], opacity: 0.7 },
      },
      words({ text: label, x, y: bottom + 16, size: 13, width: tickWidth, muted: true, align: 'center' }),
    ];
  });
}

/** The bands side by side, with the percentages that lie between them. */
function drawLegend(y: number): object[] {
  const width = strips.width / bands.length;
  const label = { y: y + legendHeight + 11, size: 12, width: 40, muted: true };
  const swatches = bands.flatMap(({ fromPercent, color }, index) => {
    const x = strips.x + index * width;
    return [
      bar({ x, y, width, height: legendHeight }, color),
      words({ ...label, text: String(fromPercent), x, align: 'center' }),
    ];
  });
  return [
    ...swatches,
    words({ ...label, text: '100 %', x: strips.x + strips.width + 8, align: 'center' }),
    gapLine({ x: theme.margin, y, width: 20, height: legendHeight }),
    words({ ...label, text: 'no data', x: theme.margin, width: namesWidth }),
  ];
}
