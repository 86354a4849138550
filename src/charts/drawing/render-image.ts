import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import type { ChartImage, ChartSpec } from '../chart-spec.ts';
import { renderSvg } from './render-svg.ts';
import { theme } from './theme.ts';

/**
 * Draws a spec as PNG in this process, which is blocked for about 50 ms. Throws for the same
 * reasons as `renderSvg`.
 */
export function renderImage(spec: ChartSpec): ChartImage {
  return svgToPng(renderSvg(spec));
}

/**
 * Converts an SVG to a PNG of twice its size. Only Rackhand's own fonts can be used, not those of
 * the system.
 */
export function svgToPng(svg: string): ChartImage {
  const image = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: theme.pixelRatio },
    font: { loadSystemFonts: false, fontFiles: findFontFiles(), defaultFontFamily: theme.font },
  }).render();
  return { png: image.asPng(), width: image.width, height: image.height };
}

function findFontFiles(): string[] {
  return [
    import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
    import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  ].map((url) => fileURLToPath(url));
}
