import { svgToPng } from '../../src/charts/drawing/render-image.ts';
import type { CheckLine } from './check-line.ts';

const check = 'fonts';

/** Checks that charts have letters: without a font, text vanishes from them silently. */
export function checkFonts(): CheckLine {
  try {
    const missing = ['A', 'Ж'].filter((letter) => draw(letter).equals(draw('')));
    if (missing.length === 0)
      return { check, status: 'OK', message: 'Charts have Latin and Cyrillic letters.' };
  } catch {
    // The font's files are missing, or the native program isn't for this machine.
  }
  return { check, status: 'error', message: 'Charts have no letters. Run npm ci again on this machine.' };
}

function draw(text: string): Buffer {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><text x="5" y="30">${text}</text></svg>`;
  return Buffer.from(svgToPng(svg).png);
}
