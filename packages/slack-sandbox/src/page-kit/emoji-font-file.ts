import { fileURLToPath } from 'node:url';

/** The file of the emoji font. In the built package, it is copied beside the code. */
export const emojiFontFile = fileURLToPath(
  import.meta.resolve('@fontsource/noto-color-emoji/files/noto-color-emoji-emoji-400-normal.woff2'),
);
