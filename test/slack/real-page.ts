import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { launchChromium } from '../services/chromium.ts';
import { type RunningStack, type StartOptions, startStack } from '../stack.ts';

/** The whole of Rackhand between both sandboxes, as a person has it before them in a browser. */
export interface RealPage {
  readonly running: () => RunningStack;
  readonly page: () => Page;
  readonly composer: () => Locator;
  readonly messages: () => Locator;
  readonly modal: () => Locator;
  /** Types into the composer and sends. */
  type(text: string): Promise<void>;
}

/** Registers both sandboxes, the app and a browser for a test file. Each test begins at the page's address, and fails on errors of the page. */
export function stageRealPage(address = '/#T0ACME/U0ALICE/C0OPS', options: StartOptions = {}): RealPage {
  let running: RunningStack;
  let browser: Browser;
  let page: Page;
  let faults: string[] = [];

  beforeAll(async () => {
    [running, browser] = await Promise.all([startStack(options), launchChromium()]);
  });

  afterAll(async () => {
    await browser?.close();
    await running?.close();
  });

  beforeEach(async () => {
    page = await browser.newPage({ reducedMotion: 'reduce', timezoneId: 'UTC' });
    faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(`${running.slack.url}${address}`);
  });

  afterEach(async () => {
    await page.close();
    expect(faults).toEqual([]);
  });

  const composer = () => page.getByRole('textbox', { name: /^Message / });

  return {
    running: () => running,
    page: () => page,
    composer,
    messages: () => page.getByRole('log', { name: 'Messages' }).locator('.message'),
    modal: () => page.getByRole('dialog'),
    async type(text) {
      await composer().fill(text);
      await composer().press('Enter');
    },
  };
}
