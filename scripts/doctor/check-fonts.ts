import { svgToPng } from '../../src/charts/drawing/render-image.ts';
import { type CheckLine, createLines } from './check-line.ts';

const { ok, error } = createLines('fonts');

/** A font shows a box for a letter that it lacks. */
const letterOfNoFont = '\u{10FFFD}';

/** Draws text, with the East Asian font of a file if given. */
type DrawText = (text: string, eastAsianFontFile?: string) => Buffer;

/**
 * Checks that charts have letters: without a font, text vanishes from them silently. Says whether they
 * have East Asian letters, which few need.
 */
export function checkFonts(eastAsianFontFile?: string, draw: DrawText = drawText): CheckLine {
  const isShown = (letter: string) =>
    ['', letterOfNoFont].every(
      (other) => !draw(letter, eastAsianFontFile).equals(draw(other, eastAsianFontFile)),
    );
  try {
    if (['A', 'Ж'].every(isShown)) {
      return ok(
        ['東', 'サ', '서'].every(isShown)
          ? 'Charts have Latin, Cyrillic, Chinese, Japanese and Korean letters.'
          : 'Charts have Latin and Cyrillic letters. For Chinese, Japanese and Korean ones, install fonts-wqy-microhei.',
      );
    }
  } catch {
    // The font's files are missing, or the native program isn't for this machine.
  }
  return error('Charts have no letters. Run npm ci again on this machine.');
}

function drawText(text: string, eastAsianFontFile?: string): Buffer {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><text x="5" y="30">${text}</text></svg>`;
  return Buffer.from(svgToPng(svg, eastAsianFontFile).png);
}
