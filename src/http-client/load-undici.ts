import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Returns the HTTP client. It is loaded at the first call, which takes about 8 ms. */
export function loadUndici(): typeof import('undici') {
  return require('undici');
}
