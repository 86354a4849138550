import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSlackSandbox } from '../../../src/sandbox/slack/sandbox.ts';
import { launchChromium } from '../../services/chromium.ts';
import { pageManifest, startPageApp } from './page-app.ts';

let sandbox: Awaited<ReturnType<typeof createSlackSandbox>>;
let stopApp: () => Promise<unknown>;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  sandbox = await createSlackSandbox({ port: 0, manifest: pageManifest });
  stopApp = await startPageApp(sandbox.url);
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await stopApp?.();
  await sandbox?.close();
});

beforeEach(async () => {
  await post('reset', {});
  page = await browser.newPage();
  faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await visit('T0ACME/U0ALICE/C0OPS');
});

afterEach(async () => {
  await page.close();
  expect(faults).toEqual([]);
});

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(`${sandbox.url}/sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

async function visit(place: string, on = page): Promise<void> {
  await on.goto(`${sandbox.url}/#${place}`);
  await composer(on).waitFor();
}

const composer = (on = page) => on.getByRole('textbox', { name: /^Message / });
const messages = (on = page) => on.getByRole('log', { name: 'Messages' }).locator('.message');
const last = (on = page) => messages(on).last();
const modal = () => page.getByRole('dialog');
const shows = (words: string, on = page) => messages(on).filter({ hasText: words }).first().waitFor();

async function type(text: string, on = page): Promise<void> {
  await composer(on).fill(text);
  await composer(on).press('Enter');
}
