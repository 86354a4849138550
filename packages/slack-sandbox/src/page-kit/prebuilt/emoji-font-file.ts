import { fileURLToPath } from 'node:url';

/** The file of the emoji font, which the build copied beside the code. */
export const emojiFontFile = fileURLToPath(new URL('./emoji.woff2', import.meta.url));
