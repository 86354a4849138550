import type { Point } from '../chart-spec.ts';
import { type TimeSpan, toLine } from '../line.ts';
import { theme } from './theme.ts';

/** A color and the lowest percentage that gets it. */
interface Band {
  readonly fromPercent: number;
  readonly color: string;
}

/**
 * Bands get darker and warmer, so that people can tell them apart without colors or with color
 * blindness.
 */
export const heatBands: readonly Band[] = [
  { fromPercent: 0, color: '#dfe7ef' },
  { fromPercent: 10, color: '#bfd4e8' },
  { fromPercent: 25, color: '#93b9da' },
  { fromPercent: 50, color: '#e0922f' },
  { fromPercent: 75, color: '#c2501a' },
  { fromPercent: 90, color: '#7a1029' },
];

/** A stretch of time in one band, or without data. */
interface StripCell {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly band: Band | undefined;
}

export interface Strip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A point applies until the next one. If that is further away than this many times the usual
 * distance, the point applies only for the usual distance.
 */
const maxCellDistances = 1.5;

/** Draws points as a strip that is darker for higher values. A dotted line marks missing data. */
export function drawStrip(points: readonly Point[], { fromMs, untilMs }: TimeSpan, strip: Strip): object[] {
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

/** Draws a rectangle of one color. */
export function drawBar({ x, y, width, height }: Strip, color: string): object {
  return { type: 'rect', silent: true, shape: { x, y, width, height }, style: { fill: color } };
}

/** Draws a stretch of time without data. */
export function drawGap({ x, y, width, height }: Strip): object {
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

/** Divides the whole time span into cells. Adjacent points in the same band share a cell. */
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
