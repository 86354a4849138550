import { createRequire } from 'node:module';

/** The file of the emoji font, or undefined if the optional package with it isn't installed. */
export const emojiFontFile = findFont();

function findFont(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(
      '@fontsource/noto-color-emoji/files/noto-color-emoji-emoji-400-normal.woff2',
    );
  } catch {
    return undefined;
  }
}
