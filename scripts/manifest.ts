import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { createAppLink, toHttpManifest } from './app-manifest.ts';

const usage = `Usage: npm run --silent manifest -- [--url https://rackhand.example.com] [--link | --json] [--token-rotation]

Prints the app's manifest: for Socket Mode, or with --url for HTTP.
--link prints a link that opens Slack's page for a new app with the manifest filled in.
--json prints JSON, for Slack's CLI.`;

try {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      link: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      'token-rotation': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const socketManifest = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8');
  const manifest =
    values.url === undefined
      ? socketManifest
      : toHttpManifest(socketManifest, values.url, { rotatesTokens: values['token-rotation'] });
  if (values.help) console.log(usage);
  else if (values.link) console.log(createAppLink(manifest));
  else if (values.json) console.log(JSON.stringify(parse(manifest)));
  else process.stdout.write(manifest);
} catch (error) {
  console.error(error instanceof Error ? `${error.message}\n\n${usage}` : error);
  process.exitCode = 1;
}
