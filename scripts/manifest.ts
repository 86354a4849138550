import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { toHttpManifest } from './http-manifest.ts';

const usage = `Usage: npm run manifest -- --url https://rackhand.example.com [--token-rotation] | --json

Prints the manifest for HTTP. With --json, prints the manifest for Socket Mode as JSON, for Slack's CLI.`;

try {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      json: { type: 'boolean' },
      'token-rotation': { type: 'boolean', default: false },
    },
  });
  const socketManifest = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8');
  if (values.json) process.stdout.write(`${JSON.stringify(parse(socketManifest))}\n`);
  else if (!values.url) throw new Error(usage);
  else {
    process.stdout.write(
      toHttpManifest(socketManifest, values.url, { rotatesTokens: values['token-rotation'] }),
    );
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
