#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { createSlackSandbox, type SlackSandbox, type SlackSandboxOptions } from '../slack-sandbox.ts';
import { defaultPort, helpText, parseCommandLine } from './cli-options.ts';

async function main(): Promise<void> {
  const request = parseCommandLine(process.argv.slice(2));
  if (request.kind === 'help') console.log(helpText);
  else if (request.kind === 'version') console.log(readVersion());
  else await start(request.options);
}

async function start(options: SlackSandboxOptions): Promise<void> {
  const sandbox = await createSlackSandbox(options);
  console.log(`Slack workspace  ${sandbox.url}\n`);
  for (const app of sandbox.apps) {
    const owner = sandbox.apps.length > 1 ? app.name : 'your app';
    const settings = Object.entries(app.env).map(([name, value]) => `  ${name}=${value}\n`);
    console.log(`Settings of ${owner}:\n${settings.join('')}`);
    for (const note of app.notes) console.log(`Note: ${note}`);
  }
  console.log(`Now run your app with:\n${describeStart(sandbox)}\nStop the sandbox with Ctrl+C.`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await sandbox.close();
      process.exit(0);
    });
  }
}

/** Returns the command that starts an app, for each app. */
function describeStart({ url, port, apps }: SlackSandbox): string {
  const place = port === defaultPort ? '' : `SLACK_SANDBOX_URL=${url} `;
  const lines = apps.map(({ name }) => {
    const app = apps.length > 1 ? `SLACK_SANDBOX_APP=${JSON.stringify(name)} ` : '';
    return `  ${place}${app}node --import slack-sandbox/register app.js\n`;
  });
  return lines.join('');
}

/** Reads the version of the built package, whose `package.json` is beside this file. */
function readVersion(): string {
  const facts: { version?: string } = JSON.parse(
    readFileSync(new URL('package.json', import.meta.url), 'utf8'),
  );
  return facts.version ?? 'unknown';
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
