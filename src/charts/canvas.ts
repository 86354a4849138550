import { drawable } from './foreign-text.ts';
import { type Stroke, theme } from './theme.ts';

/** A text beside a point: `y` is the middle of its line, `x` its left end or, aligned right, its right end. */
export interface Words {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Longer texts end in an ellipsis. */
  readonly width: number;
  readonly bold?: boolean;
  readonly muted?: boolean;
  readonly align?: 'left' | 'center' | 'right';
}

/** Half-bold Inter is up to a tenth wider than the widths that ECharts assumes where it cannot measure. */
const widthMargin = 0.9;

/**
 * What is drawn is measured first, piece by piece from its beginning, and the widths are kept in plain objects by the text itself: one that begins like
 * `__proto__` would change every object of the process. Behind a space it is no such name.
 */
function measurable(text: string): string {
  return inherited.some((name) => text.startsWith(name)) ? ` ${text}` : text;
}

const inherited = Object.getOwnPropertyNames(Object.prototype);

/** Draws a text, which is never taken for markup. */
export function words({ text, x, y, size, width, bold = false, muted = false, align = 'left' }: Words) {
  return {
    type: 'text' as const,
    x,
    y,
    silent: true,
    style: {
      text: measurable(drawable(text)),
      fontFamily: theme.font,
      fontSize: size,
      fontWeight: bold ? (600 as const) : (400 as const),
      fill: muted ? theme.mutedText : theme.text,
      align,
      verticalAlign: 'middle' as const,
      width: width * widthMargin,
      overflow: 'truncate' as const,
      ellipsis: '…',
    },
  };
}

/** Draws a short piece of a series' line, for a legend. */
export function swatch({ color, dash }: Stroke, { x, y, width }: { x: number; y: number; width: number }) {
  return {
    type: 'line' as const,
    silent: true,
    shape: { x1: x, y1: y, x2: x + width, y2: y },
    style: { stroke: color, lineWidth: 2.5, lineDash: [...dash] },
  };
}
