import { fileURLToPath } from 'node:url';

/** The file of the emoji font. The built package has it only if the package with it is installed too. */
export const emojiFontFile: string | undefined = fileURLToPath(
  import.meta.resolve('@fontsource/noto-color-emoji/files/noto-color-emoji-emoji-400-normal.woff2'),
);
