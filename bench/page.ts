import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { webApi } from '@slack/bolt';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../test/services/chromium.ts';
import { freePort } from '../test/services/free-port.ts';
import { median, percentile, printTable } from './figures.ts';

const starts = 5;
const posts = 30;
/** A channel that has been used for a while. */
const earlierPosts = 5_000;
const postsAtOnce = 10;

/** Measures how soon the sandbox's page can be used after `npm run sandbox`, and how soon it shows what is posted. */
export async function benchPage(): Promise<void> {
  const browser = await launchChromium();
  const readyMs: number[] = [];
  const shownMs: number[] = [];
  for (let start = 0; start < starts; start += 1) {
    // A browser that is open already, as a person's is, with nothing cached.
    const context = await browser.newContext();
    const page = await context.newPage();
    await withSandbox(async (url, startedMs) => {
      readyMs.push(await untilInteractive(page, url, startedMs));
    });
    await context.close();
  }
  await withSandbox(async (url) => {
    await fill(url);
    shownMs.push(...(await untilShown(browser, url)));
  });
  await browser.close();

  console.log(`\nThe sandbox's page, of ${starts} starts and ${posts} posts above ${earlierPosts} messages`);
  printTable(
    ['', 'median', 'worst', 'aim'],
    [
      ['start to interactive, ms', ...figures(readyMs), '2000 or less'],
      ['posted to visible, ms', ...figures(shownMs), '100 or less'],
    ],
  );
}

function figures(values: readonly number[]): string[] {
  return [median(values).toFixed(0), percentile(values, 1).toFixed(0)];
}

/** Starts everything as `npm run sandbox` does, in a process of its own, and ends it after the measurement. */
async function withSandbox(measure: (url: string, startedMs: number) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));
  const port = await freePort();
  const startedMs = performance.now();
  const child = spawn(process.execPath, [new URL('../src/sandbox/main.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      // Nothing that an earlier start compiled.
      NODE_DISABLE_COMPILE_CACHE: '1',
      SANDBOX_SLACK_PORT: `${port}`,
      SANDBOX_HOSTING_PORT: '0',
      DATABASE_URL: `sqlite:${join(directory, 'sandbox.db')}`,
    },
  });
  try {
    for await (const line of createInterface(child.stdout)) if (line.startsWith('Slack workspace')) break;
    await measure(`http://127.0.0.1:${port}`, startedMs);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(directory, { recursive: true });
  }
}

/** Opens the page until a command can be typed. */
async function untilInteractive(page: Page, url: string, startedMs: number): Promise<number> {
  await open(page, url);
  await page.getByRole('textbox', { name: /^Message/ }).fill('/vps list');
  return performance.now() - startedMs;
}

async function open(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/#T0ACME/U0ALICE/C0OPS`);
}

/** Posts as a person, for whom no rate is limited. */
async function fill(url: string): Promise<void> {
  const post = (sent: number) =>
    control(url, 'message', { user: 'U0BOB', channel: 'C0OPS', text: `Message number ${sent}` });
  for (let sent = 0; sent < earlierPosts; sent += postsAtOnce) {
    await Promise.all(Array.from({ length: postsAtOnce }, (_, index) => post(sent + index)));
  }
}

async function control(url: string, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/sandbox/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** From the return of `chat.postMessage` until the browser has drawn the message; both are told by one clock. */
async function untilShown(browser: Browser, url: string): Promise<number[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await open(page, url);
  await page.locator('.message').last().waitFor();
  const client = new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl: `${url}/api/` });
  const times: number[] = [];
  for (let sent = 0; sent < posts; sent += 1) {
    const text = `Posted now: ${sent}`;
    const seen = page.evaluate<number>(watchFor(text));
    // Moves past the limit of one message a second.
    await control(url, 'clock', { advance_ms: 1000 });
    await client.chat.postMessage({ channel: 'C0OPS', text });
    const postedMs = Date.now();
    times.push(Math.max(0, (await seen) - postedMs));
  }
  await context.close();
  return times;
}

/** Resolves to the moment at which the frame with a text has been drawn. */
function watchFor(text: string): string {
  return `new Promise((resolve) => {
    const drawn = () => requestAnimationFrame(() => setTimeout(() => resolve(Date.now())));
    const look = () => document.querySelector('[role="log"]').textContent.includes(${JSON.stringify(text)});
    const observer = new MutationObserver(() => {
      if (!look()) return;
      observer.disconnect();
      drawn();
    });
    observer.observe(document.querySelector('[role="log"]'), { childList: true, subtree: true });
  })`;
}

if (import.meta.main) await benchPage();
