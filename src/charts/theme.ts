/** Colours and sizes of every picture. Sizes are those of a phone, 360 px wide; a picture has twice as many pixels. */
export const theme = {
  width: 360,
  pixelRatio: 2,
  margin: 14,
  font: 'Inter',
  /** Opaque, and calm in Slack's light mode as in its dark one. */
  background: '#f7f8fa',
  text: '#16191d',
  mutedText: '#4d545e',
  rule: '#d3d8de',
  baseline: '#848c97',
} as const;

/** How a series looks: told apart by its dash without the colour. */
export interface Stroke {
  readonly color: string;
  readonly dash: readonly number[];
}

/** From the palette of Okabe and Ito, for every kind of colour blindness; darkened to 4.5 : 1 on the background. */
const colors = ['#0068a8', '#b84f00', '#007a59', '#9b4a7c'];
const dashes: readonly (readonly number[])[] = [
  [],
  [6, 3],
  [1.5, 2.5],
  [8, 3, 1.5, 3],
  [14, 3],
  [8, 2, 1.5, 2, 1.5, 2],
];

/** Most series that can be told apart by their dash alone. */
export const mostSeries = dashes.length;

/** Gives the look of the series at a place. */
export function strokeOf(index: number): Stroke {
  return { color: colors[index % colors.length] ?? theme.text, dash: dashes[index % dashes.length] ?? [] };
}
