import type { EChartsOption } from 'echarts';
import { type HeatmapRow, type HeatmapSpec, maxHeatmapRows, type Point } from '../chart-spec.ts';
import { formatPeriod } from '../format/format-period.ts';
import { formatPercent } from '../format/format-quantity.ts';
import { type TimeSpan, toLine, toSamples } from '../line.ts';
import { drawText, drawTitle } from './canvas.ts';
import { theme } from './theme.ts';
import { buildTimeTicks } from './time-ticks.ts';

const rightEdge = theme.width - theme.margin;
const innerWidth = theme.width - 2 * theme.margin;
const nameColumnWidth = 84;
const valueColumnWidth = 46;
const stripArea = {
  x: theme.margin + nameColumnWidth,
  width: innerWidth - nameColumnWidth - valueColumnWidth,
};

/**
 * Maximum number of rows for every row to get a name. More names would be unreadable, because Slack shrinks a
 * chart to about 360 px.
 */
const maxNamedRows = 14;
/**
 * Number of named rows if there are more than `maxNamedRows` rows. The remaining rows become thin strips
 * below the named ones.
 */
const namedRowsWhenMany = 10;
const rowHeight = 18;
const rowGap = 3;
const thinHeight = 4;
const thinGap = 1;
/** Minimum distance between two time labels below the strips. */
const tickDistance = 48;
/** Wide enough for a weekday and a day, such as "Mon 23". */
const tickLabelWidth = 54;
const legendHeight = 9;
const orderText = 'CPU findings first, then by average CPU';

/** Lays out a heatmap: one strip per VPS, in the given order, with names, maximum values, times and a legend. */
export function layOutHeatmap(spec: HeatmapSpec): { option: EChartsOption; height: number } {
  const { title, measure, fromMs, untilMs, timeZone } = spec;
  if (!(untilMs > fromMs)) throw new Error('the period of a heatmap must have a length');
  const rows = spec.rows.slice(0, maxHeatmapRows);
  const named = rows.slice(0, rows.length > maxNamedRows ? namedRowsWhenMany : maxNamedRows);
  const heading = { x: theme.margin, width: innerWidth };
  const period = formatPeriod({ fromMs, untilMs }, timeZone);
  const head = { y: 67, size: 13, muted: true };
  const top = 78;
  const thinTop = top + named.length * rowHeight;
  const thin = drawThinRows(rows.slice(named.length), spec, thinTop);
  const bottom = rows.length > 0 ? thinTop + thin.height : top + 2 * rowHeight;
  const graphics = [
    drawTitle(title, heading),
    drawText({ ...heading, text: period, y: 46, size: 13, muted: true }),
    drawText({ ...head, text: formatRowCount(spec, rows.length), x: stripArea.x, width: stripArea.width }),
    drawText({
      ...head,
      text: measure,
      x: theme.margin,
      width: nameColumnWidth - 4,
      muted: false,
      bold: true,
    }),
    drawText({ ...head, text: 'max', x: rightEdge, width: valueColumnWidth, align: 'right' }),
    ...named.flatMap((row, index) =>
      drawRow(row, spec, { ...stripArea, y: top + index * rowHeight, height: rowHeight }),
    ),
    ...thin.graphics,
    ...(rows.length > 0 ? [] : [drawNoRows(top + rowHeight)]),
    ...(rows.length > 0 ? drawTimes(spec, { top, bottom }) : []),
    ...drawLegend(bottom + 30),
    ...(rows.length > 1
      ? [drawText({ ...heading, text: orderText, y: bottom + 70, size: 13, muted: true })]
      : []),
  ];
  const option = { animation: false, backgroundColor: theme.background, graphic: graphics };
  return { option, height: bottom + (rows.length > 1 ? 84 : 62) };
}

function formatRowCount({ rows, total }: HeatmapSpec, drawn: number): string {
  const all = Math.max(total, rows.length);
  return drawn < all ? `the first ${drawn} of ${all}` : 'darker is busier';
}

function drawNoRows(y: number): object {
  return drawText({
    text: 'no data',
    x: theme.width / 2,
    y,
    size: 15,
    width: innerWidth,
    muted: true,
    align: 'center',
  });
}

/** Draws the unnamed rows, which show at a glance whether the other VPS are busy. */
function drawThinRows(rows: readonly HeatmapRow[], spec: HeatmapSpec, top: number) {
  if (rows.length === 0) return { height: 0, graphics: [] };
  const first = top + 5;
  const height = thinHeight - thinGap;
  const text = `next ${rows.length}`;
  return {
    height: rows.length * thinHeight + 5,
    graphics: [
      drawText({ text, x: theme.margin, y: first + 7, size: 13, width: nameColumnWidth - 4, muted: true }),
      ...rows.flatMap(({ points }, index) =>
        drawStrip(points, spec, { ...stripArea, y: first + index * thinHeight, height }),
      ),
    ],
  };
}

function drawRow(
  { label, isHighlighted = false, points }: HeatmapRow,
  spec: HeatmapSpec,
  strip: Strip,
): object[] {
  const y = strip.y + strip.height / 2;
  const size = 13;
  const during = points.filter(({ timeMs }) => timeMs >= spec.fromMs && timeMs <= spec.untilMs);
  const values = toSamples(toLine({ label, points: during })).map(([, value]) => value);
  const maxText = values.length === 0 ? '–' : formatPercent(values.reduce((a, b) => Math.max(a, b)));
  const valueOptions = {
    text: maxText,
    x: rightEdge,
    y,
    size,
    width: valueColumnWidth,
    muted: !isHighlighted,
  };
  return [
    drawText({ text: label, x: theme.margin, y, size, width: nameColumnWidth - 4, bold: isHighlighted }),
    ...drawStrip(points, spec, { ...strip, y: strip.y + rowGap / 2, height: strip.height - rowGap }),
    drawText({ ...valueOptions, bold: isHighlighted, align: 'right' }),
  ];
}

function drawTimes(
  { fromMs, untilMs, timeZone }: HeatmapSpec,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): object[] {
  const ticks = buildTimeTicks(fromMs, untilMs, { timeZone, maxTicks: stripArea.width / tickDistance });
  return ticks.flatMap(({ atMs, label }) => {
    const x = stripArea.x + ((atMs - fromMs) / (untilMs - fromMs)) * stripArea.width;
    return [
      {
        type: 'line',
        silent: true,
        shape: { x1: x, y1: top - 2, x2: x, y2: bottom + 5 },
        style: { stroke: theme.baseline, lineWidth: 1, lineDash: [2, 3], opacity: 0.7 },
      },
      drawText({
        text: label,
        x,
        y: bottom + 16,
        size: 13,
        width: tickLabelWidth,
        muted: true,
        align: 'center',
      }),
    ];
  });
}

/** Draws the bands side by side, with the percentages at their borders. */
function drawLegend(y: number): object[] {
  const width = stripArea.width / heatBands.length;
  const label = { y: y + legendHeight + 11, size: 12, width: 40, muted: true };
  const swatches = heatBands.flatMap(({ fromPercent, color }, index) => {
    const x = stripArea.x + index * width;
    return [
      drawBar({ x, y, width, height: legendHeight }, color),
      drawText({ ...label, text: String(fromPercent), x, align: 'center' }),
    ];
  });
  return [
    ...swatches,
    drawText({ ...label, text: '100%', x: stripArea.x + stripArea.width + 8, align: 'center' }),
    drawGap({ x: theme.margin, y, width: 20, height: legendHeight }),
    drawText({ ...label, text: 'no data', x: theme.margin, width: nameColumnWidth }),
  ];
}

/** A color, and the lowest percentage that is drawn in it. */
interface Band {
  readonly fromPercent: number;
  readonly color: string;
}

/** Bands get darker and warmer, so people can tell them apart in grayscale or with color blindness. */
export const heatBands: readonly Band[] = [
  { fromPercent: 0, color: '#dfe7ef' },
  { fromPercent: 10, color: '#bfd4e8' },
  { fromPercent: 25, color: '#93b9da' },
  { fromPercent: 50, color: '#e0922f' },
  { fromPercent: 75, color: '#c2501a' },
  { fromPercent: 90, color: '#7a1029' },
];

/** A period in one band, or without data. */
interface StripCell {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly band: Band | undefined;
}

interface Strip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Maximum distance between two points, as a multiple of the usual distance, at which the first point's
 * value applies until the second point. Beyond it, the value applies for one usual distance.
 */
const maxCellDistances = 1.5;

/** Draws points as a strip that is darker for higher values. A dotted line marks missing data. */
function drawStrip(points: readonly Point[], { fromMs, untilMs }: TimeSpan, strip: Strip): object[] {
  const perMs = strip.width / Math.max(1, untilMs - fromMs);
  // Rounds to whole pixels, because fractions would leave visible seams between cells.
  const xAt = (timeMs: number) =>
    Math.round((strip.x + (timeMs - fromMs) * perMs) * theme.pixelRatio) / theme.pixelRatio;
  return toCells(points, { fromMs, untilMs }).map((cell) => {
    const [x, end] = [xAt(cell.fromMs), xAt(cell.untilMs)];
    if (cell.band === undefined) return drawGap({ ...strip, x, width: end - x });
    return drawBar({ ...strip, x, width: end - x }, cell.band.color);
  });
}

function drawBar({ x, y, width, height }: Strip, color: string): object {
  return { type: 'rect', silent: true, shape: { x, y, width, height }, style: { fill: color } };
}

function drawGap({ x, y, width, height }: Strip): object {
  const middle = y + height / 2;
  return {
    type: 'line',
    silent: true,
    shape: { x1: x + 1, y1: middle, x2: Math.max(x + 1, x + width - 1), y2: middle },
    style: { stroke: theme.baseline, lineWidth: 1, lineDash: [1.5, 2.5] },
  };
}

function findBand(percent: number): Band | undefined {
  return heatBands.findLast(({ fromPercent }) => percent >= fromPercent) ?? heatBands[0];
}

/** Divides the time span into cells. Adjacent points in the same band share a cell. */
function toCells(points: readonly Point[], { fromMs, untilMs }: TimeSpan): readonly StripCell[] {
  const line = toLine({ label: '', points });
  const distances = line.slice(1).map(([timeMs], index) => timeMs - (line[index]?.[0] ?? timeMs));
  const usualMs = distances.toSorted((a, b) => a - b)[Math.floor(distances.length / 2)] ?? untilMs - fromMs;
  const cells: StripCell[] = [];
  let reachedMs = fromMs;
  function add(band: Band | undefined, endMs: number): void {
    const last = cells.at(-1);
    if (endMs <= reachedMs) return;
    if (last && last.band === band) cells.splice(-1, 1, { ...last, untilMs: endMs });
    else cells.push({ fromMs: reachedMs, untilMs: endMs, band });
    reachedMs = endMs;
  }
  for (const [index, [timeMs, value]] of line.entries()) {
    if (value === null) continue;
    const distance = distances[index] ?? usualMs;
    const lengthMs = distance <= maxCellDistances * usualMs ? distance : usualMs;
    add(undefined, Math.min(timeMs, untilMs));
    add(findBand(value), Math.min(timeMs + lengthMs, untilMs));
  }
  add(undefined, untilMs);
  return cells;
}
