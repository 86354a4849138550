import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
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
  // Bolt counts as stopped before its connection is closed, and would log one that breaks.
  await vi.waitFor(async () => expect(await connections()).toBe(0));
  await sandbox?.close();
});

async function connections(): Promise<unknown> {
  const workspace = z.object({ app: z.object({ connections: z.int() }) });
  return workspace.parse(await (await fetch(`${sandbox.url}/sandbox/workspace`)).json()).app.connections;
}

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

describe('a command', () => {
  test('is offered while its name is typed, and answers with what only its author sees', async () => {
    await composer().fill('/p');
    await page
      .getByRole('button', { name: /^\/page/ })
      .first()
      .click();
    await composer().press('End');
    await page.keyboard.type('hello & "you"');
    await composer().press('Enter');

    await shows('You typed hello & “you”');
    expect(await last().innerText()).toContain('Only visible to you');
    expect(await composer().inputValue()).toBe('');

    const bobs = await browser.newPage();
    await visit('T0ACME/U0BOB/C0OPS', bobs);
    await bobs.getByText('Nothing here yet.').waitFor();
    await bobs.close();
  });

  test('that nobody declared is answered by Slackbot', async () => {
    await type('/nothing at all');

    await shows('/nothing is not a valid command.');
    expect(await last().innerText()).toContain('Slackbot');
  });

  test('is lost at a reload where only its author saw it', async () => {
    await type('/page hello');
    await shows('You typed hello');

    await page.reload();

    await page.getByText('Nothing here yet.').waitFor();
  });
});

describe('a message with blocks', () => {
  beforeEach(async () => {
    await type('/page card');
    await shows('VPS-10001');
  });

  test('shows markup, links and tables, and no foreign HTML', async () => {
    expect(await last().getByRole('link', { name: 'watched' }).getAttribute('href')).toBe(
      'https://example.com',
    );
    expect(await last().locator('strong', { hasText: 'running' }).count()).toBe(1);
    expect(await last().getByRole('cell', { name: '<b>VPS-10001</b>' }).count()).toBe(1);
  });

  test('is edited in place by a button, after its confirmation', async () => {
    await last().getByRole('button', { name: 'Reboot' }).click();
    await page
      .getByRole('dialog', { name: 'Reboot VPS-10001?' })
      .getByRole('button', { name: 'Reboot Now' })
      .click();

    await shows('Rebooting for @Alice Adams');
    expect(await messages().count()).toBe(1);
    expect(await last().innerText()).toContain('(edited)');
  });

  test('stays as it is when its confirmation is declined', async () => {
    await last().getByRole('button', { name: 'Reboot' }).click();
    await page.getByRole('button', { name: 'Keep Running' }).click();

    await modal().waitFor({ state: 'detached' });
    expect(await last().innerText()).toContain('It is running');
  });

  test('answers what is chosen in its menus, by mouse and by keys', async () => {
    await last().getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Mute' }).click();
    await shows('You chose mute');

    const menu = messages().first().getByRole('combobox', { name: 'Period' });
    await menu.focus();
    await page.getByRole('option', { name: 'day' }).waitFor();
    await menu.press('ArrowDown');
    await menu.press('ArrowDown');
    await menu.press('Enter');
    await shows('You chose day');
  });
});

describe('a modal', () => {
  beforeEach(async () => {
    await type('/page form');
    await modal().waitFor();
  });

  test('loads options as one types, shows an error beside its field, and posts what was filled in', async () => {
    await modal().getByLabel('Domain').fill('taken.example.com');
    const menu = modal().getByRole('combobox', { name: 'VPS' });
    await menu.click();
    await modal().getByRole('option', { name: 'VPS-20001' }).waitFor();
    await menu.pressSequentially('10002');
    await modal().getByRole('option', { name: 'VPS-20001' }).waitFor({ state: 'detached' });
    await modal().getByRole('option', { name: 'VPS-10002' }).click();
    await modal().getByRole('button', { name: 'Create' }).click();

    await modal().getByText('This domain is taken.').waitFor();
    expect(await modal().getByLabel('Domain').getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.activeElement.value')).toBe('taken.example.com');

    await modal().getByLabel('Domain').fill('free.example.com');
    await modal().getByRole('button', { name: 'Create' }).click();

    await modal().waitFor({ state: 'detached' });
    await shows('@Alice Adams pointed free.example.com at VPS-10002');
  });

  test("says what Slack's own client misses before the app is asked", async () => {
    await modal().getByRole('button', { name: 'Create' }).click();

    await modal().getByText('Please complete this required field.').first().waitFor();
    expect(await modal().locator('.wrong').count()).toBe(2);
  });

  test('is stacked, and keeps what was typed below', async () => {
    await modal().getByLabel('Domain').fill('kept.example.com');
    await modal().getByRole('button', { name: 'Explain' }).click();

    await modal().getByText('A domain points at a VPS.').waitFor();
    await modal().getByRole('button', { name: 'Back' }).click();

    await modal().getByRole('heading', { name: 'New domain' }).waitFor();
    expect(await modal().getByLabel('Domain').inputValue()).toBe('kept.example.com');
  });

  test('closes at Escape', async () => {
    await modal().getByLabel('Domain').press('Escape');

    await modal().waitFor({ state: 'detached' });
  });
});

test('a global shortcut opens its modal', async () => {
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await page.getByRole('menuitem', { name: 'New form' }).click();

  await modal().getByRole('heading', { name: 'New domain' }).waitFor();
});

test('a mention is answered in its thread', async () => {
  await page.getByRole('button', { name: '@Pagetest' }).click();
  await page.keyboard.type('look at web.example.com');
  await page.keyboard.press('Enter');

  await last().getByRole('button', { name: '1 reply' }).click();
  const thread = page.getByRole('log', { name: 'Thread' });
  await thread
    .getByText(/I read: <@U0APPACME> look at <http:\/\/web\.example\.com\|web\.example\.com>/)
    .waitFor();
  expect(await messages().count()).toBe(1);

  await page.getByRole('button', { name: 'Close' }).click();
  await thread.waitFor({ state: 'hidden' });
});

test('the Home tab is published as it is opened', async () => {
  await page.getByRole('button', { name: 'Pagetest Home' }).click();

  await page.getByRole('region', { name: 'Home tab' }).getByText('Your fleet').waitFor();
});

test('another person and another workspace are a choice away', async () => {
  await page.getByLabel('You are').selectOption('Dave Dunn');
  await page.getByRole('button', { name: '# quiet' }).click();
  await page.getByText('U0DAVE cannot read C0QUIET').waitFor();

  await page.getByLabel('Workspace').selectOption('Globex');
  await page.getByRole('heading', { name: '# globex' }).waitFor();
  faults = faults.filter((fault) => !fault.includes('400'));
});

test('on a phone nothing is wider than the screen', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await type('/page card');
  await shows('VPS-10001');

  const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  expect(await overflow()).toBeLessThanOrEqual(0);
  await type('/page form');
  await modal().waitFor();
  expect(await overflow()).toBeLessThanOrEqual(0);
});

test('nothing but the page is served from its folder', async () => {
  const statusOf = async (path: string) => (await fetch(`${sandbox.url}${path}`)).status;

  expect(await statusOf('/page/client/main.js')).toBe(200);
  expect(await statusOf('/page/routes.ts')).toBe(404);
  expect(await statusOf('/page/client/%2e%2e%2froutes.ts')).toBe(404);
  expect(await statusOf('/page/client/missing.js')).toBe(404);
});
