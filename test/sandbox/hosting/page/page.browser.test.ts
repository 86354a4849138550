import type { Page } from 'playwright-core';
import { findSeriousViolations, setUpReusedPage } from 'slack-sandbox/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

test('account, fleet, network and permissions are shown, with a link to the API document', async () => {
  await page.getByText('Acme GmbH').waitFor();
  await page.getByRole('heading', { name: 'VPS-10012' }).waitFor();
  await page.getByText('www.acme.example').waitFor();
  const row = page.getByRole('row', { name: /^vps\.manage/ });
  expect(await row.getByRole('cell').allInnerTexts()).toEqual(['yes', 'no']);
  await page.getByRole('link', { name: 'openapi.json' }).click();
  await page.waitForURL('**/openapi.json');
});

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

test('a call can be expanded, also by keyboard, and subscribers are notified', async () => {
  const opened: string[] = [];
  sandbox.subscribe((happening) => happening.kind === 'opened' && opened.push(happening.call.path));
  await reboot();
  await calls().getByRole('button', { name: /POST/ }).focus();
  expect(opened).toEqual([]);
  await page.keyboard.press('Enter');
  await calls().getByText('"action": "reboot"').first().waitFor();
  await calls().getByText('"state": "rebooting"').waitFor();
  expect(opened).toEqual(['/v1/vps/VPS-10001/action']);
});

test('calls are shown against the quota, and rejected ones are marked', async () => {
  for (let count = 0; count < 8; count += 1) await call('GET', '/v1');
  await page.getByRole('img', { name: '6 of 6 calls in the last 60 s, 2 refused with 429' }).waitFor();
  await page.getByRole('img', { name: '0 of 6 calls in the last 60 s' }).waitFor();
  await newest().getByText('429').waitFor();
});

test('the list can be limited to changes, and shows older calls on request', async () => {
  sandbox.reset();
  await fetch(`${sandbox.url}/sandbox/keys`, {
    method: 'POST',
    headers: json,
    body: '{"key":"busy","quota":1000}',
  });
  await reboot();
  for (let count = 0; count < 30; count += 1) await call('GET', '/v1', undefined, 'busy');
  const rows = calls().locator('tr.call');
  await expect.poll(() => rows.count()).toBe(25);
  await page.getByRole('button', { name: 'Show Older Calls' }).click();
  await expect.poll(() => rows.count()).toBe(31);
  await page.getByRole('checkbox', { name: 'Hide GET calls' }).check();
  await expect.poll(() => rows.count()).toBe(1);
});

test('a pending call is shown as such, with the fault that affects it', async () => {
  await fetch(`${sandbox.url}/sandbox/faults`, {
    method: 'POST',
    headers: json,
    body: '{"fault":"slow:300"}',
  });
  const slow = call('GET', '/v1');
  await newest().getByText('waiting').waitFor();
  await slow;
  await newest().getByText('200').waitFor();
  await newest().getByRole('button').click();
  await calls().getByText('The fault slow:300 was triggered.').waitFor();
});

test('a new load balancer, and a reset, are shown at once', async () => {
  await call('POST', '/v1/services/webgate/load-balancers', {
    domain_name: 'new.acme.example',
    mode: 'roundrobin',
    sticky_mode: 'cookie',
    health_check_path: '/',
    redirect_https: true,
    websocket_enabled: false,
    backends: [{ vps_name: 'VPS-10001', target_port: 80 }],
  });
  await page.getByText('new.acme.example').waitFor();
  sandbox.reset();
  await expect.poll(() => page.getByText('new.acme.example').count()).toBe(0);
  await page.getByText('No calls yet.').waitFor();
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

test('an unavailable service is reported', async () => {
  const other = await createHostingSandbox({ port: 0 });
  const visitor = await page.context().newPage();
  await visitor.goto(other.url);
  await visitor.getByText('Live', { exact: true }).waitFor();
  await other.close();
  await visitor.getByText('Not connected').waitFor();
  await visitor.close();
});

describe('the page', () => {
  test.each(['light', 'dark'] as const)('has no serious axe findings, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await reboot();
    for (let count = 0; count < 7; count += 1) await call('GET', '/v1');
    await newest().getByText('429').waitFor();
    await calls().getByRole('button', { name: /POST/ }).click();
    await calls().getByText('"state": "rebooting"').waitFor();
    expect(await findSeriousViolations(page)).toEqual([]);
  });

  test('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await reboot();
    await calls().getByRole('button', { name: /POST/ }).click();
    await calls().getByText('"state": "rebooting"').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });
});
