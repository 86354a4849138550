import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../json.ts';
import { redirectConnections } from './redirect-connections.ts';
import { replaceCredentials, watchCredentials } from './replace-credentials.ts';

/**
 * Loaded by `node --import slack-sandbox/register app.js`. Connects an unchanged app to the sandbox
 * at `SLACK_SANDBOX_URL`. With several apps, `SLACK_SANDBOX_APP` is the name of this one.
 */

const url = new URL(process.env.SLACK_SANDBOX_URL || 'http://127.0.0.1:4020');

/** How long to wait for a sandbox that is still starting. */
const maxWaitMs = 3000;
const pauseMs = 100;

const settingsUrl = new URL('/sandbox/settings', url);
if (process.env.SLACK_SANDBOX_APP) settingsUrl.searchParams.set('app', process.env.SLACK_SANDBOX_APP);

async function fetchSettings(): Promise<unknown> {
  const response = await fetchWhenStarted();
  const settings: unknown = await response.json();
  if (isObject(settings) && typeof settings.error === 'string') throw new Error(settings.error);
  return settings;
}

async function fetchWhenStarted(): Promise<Response> {
  const endMs = performance.now() + maxWaitMs;
  for (;;) {
    try {
      return await fetch(settingsUrl);
    } catch (cause) {
      if (performance.now() > endMs) {
        throw new Error(`No slack-sandbox answers at ${url.origin}. Start it with: npx slack-sandbox`, {
          cause,
        });
      }
    }
    await sleep(pauseMs);
  }
}

const settings = await fetchSettings();
const replaced = replaceCredentials(process.env, settings);
process.env = watchCredentials(process.env, settings, (name) => {
  process.stderr.write(`slack-sandbox: ${name}: replaced by the sandbox's own.\n`);
});
redirectConnections(url);
const note = replaced.length > 0 ? ` ${replaced.join(', ')}: replaced by the sandbox's own.` : '';
const others = listOtherApps(settings);
process.stderr.write(`slack-sandbox: connections to slack.com go to ${url.origin}.${note}${others}\n`);

/** Says which of several apps this process runs as, unless a setting names it. */
function listOtherApps(given: unknown): string {
  const names = isObject(given) && Array.isArray(given.apps) ? given.apps : [];
  if (names.length < 2 || process.env.SLACK_SANDBOX_APP) return '';
  return ` It runs as ${names[0]}; SLACK_SANDBOX_APP names another app: ${names.slice(1).join(', ')}.`;
}
