import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import { drawSvg } from './drawing.ts';
import type { PictureSpec } from './fleet-spec.ts';
import type { Picture } from './spec.ts';
import { theme } from './theme.ts';

/** Draws a spec as PNG, in this very process: some 50 ms in which it does nothing else. Throws as `drawSvg` does. */
export function drawPicture(spec: PictureSpec): Picture {
  return toPng(drawSvg(spec));
}

/** Turns an SVG into a PNG of twice its size. Only the fonts that Rackhand brings are there: the machine's own are not looked for. */
export function toPng(svg: string): Picture {
  const image = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: theme.pixelRatio },
    font: { loadSystemFonts: false, fontFiles: fontFiles(), defaultFontFamily: theme.font },
  }).render();
  return { png: image.asPng(), width: image.width, height: image.height };
}

function fontFiles(): string[] {
  return [
    import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
    import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  ].map((url) => fileURLToPath(url));
}
