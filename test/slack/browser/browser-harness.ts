import type { Locator, Page } from 'playwright-core';
import { setUpReusedPage } from 'slack-sandbox/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type RunningStack, type StackOptions, startStack } from '../../stack.ts';

/** Rackhand between both sandboxes, as people see it in a browser. */
export interface BrowserHarness {
  readonly running: () => RunningStack;
  readonly page: () => Page;
  readonly composer: () => Locator;
  readonly messages: () => Locator;
  readonly modal: () => Locator;
  /** Types text into the composer and sends it. */
  type(text: string): Promise<void>;
}

/**
 * Registers both sandboxes, the app and a browser for a test file. Each test starts at the page's
 * URL, and fails if the page has errors.
 */
export function createBrowserHarness(
  address = '/#T0ACME/U0ALICE/C0OPS',
  options: StackOptions = {},
): BrowserHarness {
  const reused = setUpReusedPage(() => ({ reducedMotion: 'reduce', timezoneId: 'UTC' }));
  let running: RunningStack;
  let page: Page;
  let faults: string[] = [];

  beforeAll(async () => {
    running = await startStack(options);
  });

  afterAll(async () => {
    await running?.close();
  });

  beforeEach(async () => {
    page = await reused.take();
    faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(`${running.slack.url}${address}`);
  });

  afterEach(() => expect(faults).toEqual([]));

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
