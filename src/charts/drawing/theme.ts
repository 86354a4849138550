/** Colors and sizes for all charts. Sizes are for a phone 360 px wide; images have twice as many pixels. */
export const theme = {
  width: 360,
  pixelRatio: 2,
  margin: 14,
  font: 'Inter',
  /** Opaque, and suitable for Slack's light and dark modes. */
  background: '#f7f8fa',
  text: '#16191d',
  mutedText: '#4d545e',
  rule: '#d3d8de',
  baseline: '#848c97',
} as const;

/** A series' line style. The dash distinguishes it even without colors. */
export interface Stroke {
  readonly color: string;
  readonly dash: readonly number[];
}

/** The color-blind-safe Okabe-Ito palette, darkened to a contrast of 4.5:1. */
const colors = ['#0068a8', '#b84f00', '#007a59', '#9b4a7c'];
const dashes: readonly (readonly number[])[] = [
  [],
  [6, 3],
  [1.5, 2.5],
  [8, 3, 1.5, 3],
  [14, 3],
  [8, 2, 1.5, 2, 1.5, 2],
];

/** How many series can be distinguished by their dash alone. */
export const maxSeries = dashes.length;

export function getStroke(index: number): Stroke {
  return { color: colors[index % colors.length] ?? theme.text, dash: dashes[index % dashes.length] ?? [] };
}
