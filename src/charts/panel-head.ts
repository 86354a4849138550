import { swatch, words } from './canvas.ts';
import { formatFigure } from './figures.ts';
import { type Line, readingsOf } from './lines.ts';
import type { Panel } from './spec.ts';
import { strokeOf, theme } from './theme.ts';

const nameHeight = 24;
const legendRowHeight = 20;
/** What a character of a figure takes, with some room. */
const figureCharWidth = 6.6;
/** Series with longer names have a row of the legend each. */
const longestShortName = 8;
const columnGap = 16;
const swatchWidth = 24;
/** What the longest figure takes, `-1.23 MiB/s`. */
const figureWidth = 76;
const inner = theme.width - 2 * theme.margin;
const right = theme.width - theme.margin;

/** Draws what stands above the lines of a panel: its name and newest figures, and a legend if it has several series. */
export function drawHead(
  panel: Panel,
  lines: readonly Line[],
  top: number,
): { readonly height: number; readonly graphics: readonly object[] } {
  const name = { text: panel.label, x: theme.margin, y: top + nameHeight / 2, size: 16, bold: true };
  const note = panel.series.length > 1 ? moreNote(panel, lines) : figuresNote(panel, lines);
  const noteWidth = note.length * figureCharWidth;
  const legend = lines.length > 1 ? drawLegend(panel, lines, top + nameHeight) : { height: 0, graphics: [] };
  return {
    height: nameHeight + legend.height,
    graphics: [
      words({ ...name, width: inner - noteWidth }),
      words({ text: note, x: right, y: name.y, size: 13, width: inner, align: 'right' }),
      ...legend.graphics,
    ],
  };
}

function moreNote({ series }: Panel, lines: readonly Line[]): string {
  return series.length > lines.length ? `and ${series.length - lines.length} more` : '';
}

/** The newest and the highest figure. */
function figuresNote({ unit }: Panel, lines: readonly Line[]): string {
  const values = readingsOf(lines[0] ?? []).map(([, value]) => value);
  const newest = values.at(-1);
  if (newest === undefined) return '';
  const last = `last ${formatFigure(newest, unit)}`;
  if (values.length === 1) return last;
  const highest = values.reduce((high, value) => Math.max(high, value));
  return `${last} · max ${formatFigure(highest, unit)}`;
}

/** Each series with a piece of its line, its name and its newest figure, two in a row if their names are short. */
function drawLegend({ unit, series }: Panel, lines: readonly Line[], top: number) {
  const names = lines.map((_, index) => series[index]?.label ?? '');
  const columns = names.every(({ length }) => length <= longestShortName) ? 2 : 1;
  const width = (inner - (columns - 1) * columnGap) / columns;
  const graphics = lines.flatMap((line, index) => {
    const x = theme.margin + (index % columns) * (width + columnGap);
    const y = top + (Math.floor(index / columns) + 0.5) * legendRowHeight;
    const nameX = x + swatchWidth + 6;
    const newest = readingsOf(line).at(-1)?.[1];
    const figure = newest === undefined ? 'no data' : formatFigure(newest, unit);
    return [
      swatch(strokeOf(index), { x, y, width: swatchWidth }),
      words({ text: names[index] ?? '', x: nameX, y, size: 13, width: x + width - figureWidth - nameX }),
      words({ text: figure, x: x + width, y, size: 13, width, align: 'right' }),
    ];
  });
  return { height: Math.ceil(lines.length / columns) * legendRowHeight, graphics };
}
