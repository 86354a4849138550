import { lineOf } from './lines.ts';
import type { Point } from './spec.ts';
import { theme } from './theme.ts';

/** From which percentage on a band counts, and its colour. */
interface Band {
  readonly fromPercent: number;
  readonly color: string;
}

/** Each darker than the one before, and from cool to warm: they are told apart without the colour, and by the colour-blind. */
export const bands: readonly Band[] = [
  { fromPercent: 0, color: '#dfe7ef' },
  { fromPercent: 10, color: '#bfd4e8' },
  { fromPercent: 25, color: '#93b9da' },
  { fromPercent: 50, color: '#e0922f' },
  { fromPercent: 75, color: '#c2501a' },
  { fromPercent: 90, color: '#7a1029' },
];

/** A time in which a value stays within one band; without a band there is no data. */
interface Cell {
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

interface TimeRange {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A point counts until the next one, or so many times the usual distance. */
const longestPause = 1.5;

/** Draws points as a strip that is the darker the higher they are, and as a dotted line where there are none. */
export function drawStrip(points: readonly Point[], { fromMs, untilMs }: TimeRange, strip: Strip): object[] {
  const perMs = strip.width / Math.max(1, untilMs - fromMs);
  // On whole pixels, or seams would show between the cells.
  const xAt = (timeMs: number) =>
    Math.round((strip.x + (timeMs - fromMs) * perMs) * theme.pixelRatio) / theme.pixelRatio;
  return cellsOf(points, { fromMs, untilMs }).map((cell) => {
    const [x, end] = [xAt(cell.fromMs), xAt(cell.untilMs)];
    if (cell.band === undefined) return gapLine({ ...strip, x, width: end - x });
    return bar({ ...strip, x, width: end - x }, cell.band.color);
  });
}

/** Draws a rectangle of one colour. */
export function bar({ x, y, width, height }: Strip, color: string): object {
  return { type: 'rect', silent: true, shape: { x, y, width, height }, style: { fill: color } };
}

/** Draws what stands for a time without data. */
export function gapLine({ x, y, width, height }: Strip): object {
  const middle = y + height / 2;
  return {
    type: 'line',
    silent: true,
    shape: { x1: x + 1, y1: middle, x2: Math.max(x + 1, x + width - 1), y2: middle },
    style: { stroke: theme.baseline, lineWidth: 1, lineDash: [1.5, 2.5] },
  };
}

function bandOf(percent: number): Band | undefined {
  return bands.findLast(({ fromPercent }) => percent >= fromPercent) ?? bands[0];
}

/** Covers a whole range with cells, neighbours of the same band being one. */
function cellsOf(points: readonly Point[], { fromMs, untilMs }: TimeRange): readonly Cell[] {
  const line = lineOf({ label: '', points });
  const distances = line.slice(1).map(([timeMs], index) => timeMs - (line[index]?.[0] ?? timeMs));
  const usualMs = distances.toSorted((a, b) => a - b)[Math.floor(distances.length / 2)] ?? untilMs - fromMs;
  const cells: Cell[] = [];
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
    const lengthMs = distance <= longestPause * usualMs ? distance : usualMs;
    add(undefined, Math.min(timeMs, untilMs));
    add(bandOf(value), Math.min(timeMs + lengthMs, untilMs));
  }
  add(undefined, untilMs);
  return cells;
}
