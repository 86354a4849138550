import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { toHttpManifest } from './http-manifest.ts';

const usage = 'Usage: npm run manifest -- --url https://rackhand.example.com [--token-rotation]';

try {
  const { values } = parseArgs({
    options: { url: { type: 'string' }, 'token-rotation': { type: 'boolean', default: false } },
  });
  if (!values.url) throw new Error(usage);
  const socketManifest = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8');
  process.stdout.write(
    toHttpManifest(socketManifest, values.url, { rotatesTokens: values['token-rotation'] }),
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
