import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import type { ChartImage, ChartSpec } from '../chart-spec.ts';
import { renderSvg } from './render-svg.ts';
import { theme } from './theme.ts';

/** Draws a spec as a PNG, which blocks this process for about 50 ms. Throws for the same reasons as `renderSvg`. */
export function renderImage(spec: ChartSpec): ChartImage {
  return svgToPng(renderSvg(spec));
}

/** A font for Chinese, Japanese and Korean, from the Debian package fonts-wqy-microhei. */
const eastAsianFont = '/usr/share/fonts/truetype/wqy/wqy-microhei.ttc';

const eastAsianLetters = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Converts an SVG to a PNG at twice its size. Loads the East Asian font only for text that needs it, because
 * reading its 5 MB takes longer than drawing. Uses no other system fonts.
 */
export function svgToPng(svg: string, eastAsianFontFile = eastAsianFont): ChartImage {
  const needsFont = eastAsianLetters.test(svg) && existsSync(eastAsianFontFile);
  const fontFiles = [...findFontFiles(), ...(needsFont ? [eastAsianFontFile] : [])];
  const image = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: theme.pixelRatio },
    font: { loadSystemFonts: false, fontFiles, defaultFontFamily: theme.font },
  }).render();
  return { png: image.asPng(), width: image.width, height: image.height };
}

function findFontFiles(): string[] {
  return [
    import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
    import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  ].map((url) => fileURLToPath(url));
}
