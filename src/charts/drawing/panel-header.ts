import type { Panel } from '../chart-spec.ts';
import { formatQuantity } from '../format/format-quantity.ts';
import { type Line, toSamples } from '../line.ts';
import { drawSwatch, drawText } from './canvas.ts';
import { getStroke, theme } from './theme.ts';

const nameHeight = 24;
const legendRowHeight = 20;
/** Width of one character of a value, with some margin. */
const valueCharWidth = 6.6;
/** If a series has a longer name, each series gets a legend row of its own. */
const maxShortNameChars = 8;
const columnGap = 16;
const swatchWidth = 24;
/** Width of the longest value, `-1.23 MiB/s`. */
const valueWidth = 76;
const innerWidth = theme.width - 2 * theme.margin;
const rightEdge = theme.width - theme.margin;

/** Draws a panel's name and latest values. Several series get a legend. */
export function drawPanelHeader(
  panel: Panel,
  lines: readonly Line[],
  top: number,
): { readonly height: number; readonly graphics: readonly object[] } {
  const name = { text: panel.label, x: theme.margin, y: top + nameHeight / 2, size: 16, bold: true };
  const note = panel.series.length > 1 ? formatLegendNote(panel, lines) : formatLatestAndMax(panel, lines);
  const noteWidth = note.length * valueCharWidth;
  const legend = lines.length > 1 ? drawLegend(panel, lines, top + nameHeight) : { height: 0, graphics: [] };
  return {
    height: nameHeight + legend.height,
    graphics: [
      drawText({ ...name, width: innerWidth - noteWidth }),
      drawText({ text: note, x: rightEdge, y: name.y, size: 13, width: innerWidth, align: 'right' }),
      ...legend.graphics,
    ],
  };
}

/** Returns a note on the values of the legend and the number of series that aren't drawn. */
function formatLegendNote({ series }: Panel, lines: readonly Line[]): string {
  const hasValues = lines.some((line) => toSamples(line).length > 0);
  return [
    ...(hasValues ? ['last values'] : []),
    ...(series.length > lines.length ? [`and ${series.length - lines.length} more`] : []),
  ].join(' · ');
}

function formatLatestAndMax({ unit }: Panel, lines: readonly Line[]): string {
  const values = toSamples(lines[0] ?? []).map(([, value]) => value);
  const latest = values.at(-1);
  if (latest === undefined) return '';
  const lastText = `last ${formatQuantity(latest, unit)}`;
  if (values.length === 1) return lastText;
  const highest = values.reduce((high, value) => Math.max(high, value));
  return `${lastText} · max ${formatQuantity(highest, unit)}`;
}

/** Draws each series' line sample, name and latest value. Short names go two to a row. */
function drawLegend({ unit, series }: Panel, lines: readonly Line[], top: number) {
  const names = lines.map((_, index) => series[index]?.label ?? '');
  const columns = names.every(({ length }) => length <= maxShortNameChars) ? 2 : 1;
  const width = (innerWidth - (columns - 1) * columnGap) / columns;
  const graphics = lines.flatMap((line, index) => {
    const x = theme.margin + (index % columns) * (width + columnGap);
    const y = top + (Math.floor(index / columns) + 0.5) * legendRowHeight;
    const nameX = x + swatchWidth + 6;
    const latest = toSamples(line).at(-1)?.[1];
    const valueText = latest === undefined ? 'no data' : formatQuantity(latest, unit);
    return [
      drawSwatch(getStroke(index), { x, y, width: swatchWidth }),
      drawText({ text: names[index] ?? '', x: nameX, y, size: 13, width: x + width - valueWidth - nameX }),
      drawText({ text: valueText, x: x + width, y, size: 13, width, align: 'right' }),
    ];
  });
  return { height: Math.ceil(lines.length / columns) * legendRowHeight, graphics };
}
