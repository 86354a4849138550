import { setTimeout as sleep } from 'node:timers/promises';
import { redirectConnections } from './redirect-connections.ts';
import { replaceCredentials } from './replace-credentials.ts';

/**
 * Loaded by `node --import slack-sandbox/register app.js`. Connects an unchanged app to the sandbox
 * at `SLACK_SANDBOX_URL`.
 */

const url = new URL(process.env.SLACK_SANDBOX_URL || 'http://127.0.0.1:4020');

/** How long to wait for a sandbox that is still starting. */
const maxWaitMs = 3000;
const pauseMs = 100;

async function fetchSettings(): Promise<unknown> {
  const endMs = performance.now() + maxWaitMs;
  for (;;) {
    try {
      const response = await fetch(new URL('/sandbox/settings', url));
      return await response.json();
    } catch (cause) {
      if (performance.now() > endMs) {
        throw new Error(
          `No slack-sandbox answers at ${url.origin}. Start it with: npx slack-sandbox --manifest manifest.yml`,
          { cause },
        );
      }
    }
    await sleep(pauseMs);
  }
}

const replaced = replaceCredentials(process.env, await fetchSettings());
redirectConnections(url);
const note = replaced.length > 0 ? ` ${replaced.join(', ')}: replaced by the sandbox's own.` : '';
process.stderr.write(`slack-sandbox: connections to slack.com go to ${url.origin}.${note}\n`);
