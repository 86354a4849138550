import { sanitizeText } from '../format/sanitize-text.ts';
import { type Stroke, theme } from './theme.ts';

/** `y` is the text's vertical center. `x` is its left end, center or right end, depending on `align`. */
export interface TextOptions {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Maximum width. Longer text is truncated with an ellipsis. */
  readonly width: number;
  readonly bold?: boolean;
  readonly muted?: boolean;
  readonly align?: 'left' | 'center' | 'right';
}

/**
 * Share of the available width that text can use, because ECharts can't measure text in this process and
 * underestimates the width of semi-bold Inter by up to 10%.
 */
const widthMargin = 0.9;

/** Width of a bold character, relative to the font size. */
const titleCharWidth = 0.58;

/**
 * Makes text safe to measure. ECharts caches widths in plain objects keyed by the start of the text, so
 * `__proto__` would change every object in the process. A leading space prevents that.
 */
function toMeasurable(text: string): string {
  return inheritedNames.some((name) => text.startsWith(name)) ? ` ${text}` : text;
}

const inheritedNames = Object.getOwnPropertyNames(Object.prototype);

/** Draws text literally, without interpreting markup. */
export function drawText({
  text,
  x,
  y,
  size,
  width,
  bold = false,
  muted = false,
  align = 'left',
}: TextOptions) {
  return {
    type: 'text' as const,
    x,
    y,
    silent: true,
    style: {
      text: toMeasurable(sanitizeText(text)),
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

/** Draws a chart's title in the largest font size from 14 to 20 that probably fits. */
export function drawTitle(text: string, { x, width }: { readonly x: number; readonly width: number }) {
  const fitting = Math.floor((width * widthMargin) / (text.length * titleCharWidth));
  return drawText({ text, x, y: 24, size: Math.min(20, Math.max(14, fitting)), width, bold: true });
}

export function drawSwatch(
  { color, dash }: Stroke,
  { x, y, width }: { x: number; y: number; width: number },
) {
  return {
    type: 'line' as const,
    silent: true,
    shape: { x1: x, y1: y, x2: x + width, y2: y },
    style: { stroke: color, lineWidth: 2.5, lineDash: [...dash] },
  };
}
