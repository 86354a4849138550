import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { webApi } from '@slack/bolt';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from 'slack-sandbox/testing';
import { findFreePort } from '../test/services/find-free-port.ts';
import { median, percentile, printTable } from './statistics.ts';

const startCount = 5;
const postCount = 30;
/** How many messages a channel has after some months of use. */
const earlierPostCount = 5_000;
const postsAtOnce = 10;

/**
 * Measures how soon the sandbox's page is usable after `npm run sandbox`, and how soon it shows a
 * new message.
 */
export async function benchPage(): Promise<void> {
  const browser = await launchChromium();
  const readyMs: number[] = [];
  const shownMs: number[] = [];
  for (let start = 0; start < startCount; start += 1) {
    // The browser is already open, as it usually is, but its cache is empty.
    const context = await browser.newContext();
    const page = await context.newPage();
    await withSandbox(async (url, startedMs) => {
      readyMs.push(await measureTimeToInteractive(page, url, startedMs));
    });
    await context.close();
  }
  await withSandbox(async (url) => {
    await postEarlierMessages(url);
    shownMs.push(...(await measureTimeToVisible(browser, url)));
  });
  await browser.close();

  console.log(
    `\nThe sandbox's page, of ${startCount} starts and ${postCount} posts above ${earlierPostCount} messages`,
  );
  printTable(
    ['', 'median', 'worst', 'aim'],
    [
      ['start to interactive, ms', ...formatMedianAndWorst(readyMs), '2000 or less'],
      ['posted to visible, ms', ...formatMedianAndWorst(shownMs), '100 or less'],
    ],
  );
}

function formatMedianAndWorst(values: readonly number[]): string[] {
  return [median(values).toFixed(0), percentile(values, 1).toFixed(0)];
}

/** Runs `npm run sandbox` in its own process during the measurement. */
async function withSandbox(measure: (url: string, startedMs: number) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));
  const port = await findFreePort();
  const startedMs = performance.now();
  const child = spawn(process.execPath, [new URL('../src/sandbox/main.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      // Measures a first start.
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

/** Returns after how many ms people can type a command. */
async function measureTimeToInteractive(page: Page, url: string, startedMs: number): Promise<number> {
  await openPage(page, url);
  await page.getByRole('textbox', { name: /^Message/ }).fill('/vps list');
  return performance.now() - startedMs;
}

async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/#T0ACME/U0ALICE/C0OPS`);
}

/** Posts as a person, who has no rate limit. */
async function postEarlierMessages(url: string): Promise<void> {
  const post = (sent: number) =>
    callControl(url, 'message', { user: 'U0BOB', channel: 'C0OPS', text: `Message number ${sent}` });
  for (let sent = 0; sent < earlierPostCount; sent += postsAtOnce) {
    await Promise.all(Array.from({ length: postsAtOnce }, (_, index) => post(sent + index)));
  }
}

async function callControl(url: string, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/sandbox/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

/**
 * Returns how many ms pass between the response of `chat.postMessage` and the drawing of the
 * message in the browser, by the same clock.
 */
async function measureTimeToVisible(browser: Browser, url: string): Promise<number[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await openPage(page, url);
  await page.locator('.message').last().waitFor();
  const client = new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl: `${url}/api/` });
  const times: number[] = [];
  for (let sent = 0; sent < postCount; sent += 1) {
    const text = `Posted now: ${sent}`;
    const shownAtMs = page.evaluate<number>(waitForTextScript(text));
    // Gets around the limit of one message a second.
    await callControl(url, 'clock', { advance_ms: 1000 });
    await client.chat.postMessage({ channel: 'C0OPS', text });
    const postedMs = Date.now();
    times.push(Math.max(0, (await shownAtMs) - postedMs));
  }
  await context.close();
  return times;
}

/** Returns a script that resolves to the time at which the browser drew `text`. */
function waitForTextScript(text: string): string {
  return `new Promise((resolve) => {
    const drawn = () => requestAnimationFrame(() => setTimeout(() => resolve(Date.now())));
    const isShown = () => document.querySelector('[role="log"]').textContent.includes(${JSON.stringify(text)});
    const observer = new MutationObserver(() => {
      if (!isShown()) return;
      observer.disconnect();
      drawn();
    });
    observer.observe(document.querySelector('[role="log"]'), { childList: true, subtree: true });
  })`;
}

if (import.meta.main) await benchPage();
