import type { Page } from 'playwright-core';
import { findSeriousViolations, setUpReusedPage } from 'slack-sandbox/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createHostingSandbox, type HostingSandbox } from '../../../../src/sandbox/hosting/sandbox.ts';

const json = { 'content-type': 'application/json' };

const reused = setUpReusedPage(() => ({ reducedMotion: 'reduce' }));
let sandbox: HostingSandbox;
let page: Page;
let troubles: string[] = [];

beforeAll(async () => {
  sandbox = await createHostingSandbox({ port: 0, quota: 6 });
});

afterAll(async () => {
  await sandbox?.close();
});

beforeEach(async () => {
  sandbox.reset();
  page = await reused.take();
  troubles = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  await page.goto(sandbox.url);
  await page.getByText('Live', { exact: true }).waitFor();
});

afterEach(() => expect(troubles).toEqual([]));

function call(method: string, path: string, body?: object, key = 'sandbox-key-full'): Promise<Response> {
  return fetch(sandbox.url + path, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body && { body: JSON.stringify(body) }),
  });
}

const reboot = () => call('POST', '/v1/vps/VPS-10001/action', { action: 'reboot' });
const calls = () => page.getByRole('table', { name: 'Calls, newest first' });
const newest = () => calls().locator('tr.call').first();

test('a reboot is shown from its call to its end', async () => {
  const arrivals = calls().getByText('/v1/vps/VPS-10001/action');
  expect(await arrivals.count()).toBe(0);
  await reboot();
  await newest().getByText('POST').waitFor();
  await newest().getByText('200').waitFor();
  await newest().getByText('sandbox-key-full').waitFor();
  expect(await newest().getAttribute('class')).toContain('is-new');
  await page.getByRole('status', { name: 'VPS-10001 is rebooting' }).waitFor();
  await page.getByRole('progressbar', { name: 'Progress of rebooting' }).waitFor();
  await page.getByRole('status', { name: 'VPS-10001 is running' }).waitFor({ timeout: 60_000 });
});

test('a key and a path that look like markup are shown as text', async () => {
  const key = '<img/src=x/onerror=document.title=1>';
  await fetch(`${sandbox.url}/sandbox/keys`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ key }),
  });
  await page.getByRole('heading', { name: key }).waitFor();
  await call('GET', '/v1/%3Cb%3E', undefined, key);
  await newest().getByText('%3Cb%3E').waitFor();
  expect(await page.locator('main img, main b[onerror]').count()).toBe(0);
});

test('the page has no serious axe findings, light or dark, and fits a phone', async () => {
  await reboot();
  for (let count = 0; count < 7; count += 1) await call('GET', '/v1');
  await newest().getByText('429').waitFor();
  await calls().getByRole('button', { name: /POST/ }).click();
  await calls().getByText('"state": "rebooting"').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await findSeriousViolations(page), colorScheme).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
});
