import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { toHttpManifest } from './http-manifest.ts';

const usage = 'Usage: npm run manifest -- --url https://rackhand.example.com';

try {
  const { values } = parseArgs({ options: { url: { type: 'string' } } });
  if (!values.url) throw new Error(usage);
  const socketManifest = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8');
  process.stdout.write(toHttpManifest(socketManifest, values.url));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
