import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { z } from 'zod';
import {
  createSlackSandbox,
  type SlackSandbox,
  type SlackSandboxOptions,
} from '../../../src/sandbox/slack/sandbox.ts';
import { eventually } from '../../eventually.ts';
import { launchChromium } from '../../services/chromium.ts';
import { pageManifest, startPageApp } from './page-app.ts';

/** The page as a person has it before them, with what they look for and do there. */
export interface Stage {
  readonly url: () => string;
  readonly sandbox: () => SlackSandbox;
  readonly page: () => Page;
  readonly composer: () => Locator;
  readonly messages: () => Locator;
  readonly last: () => Locator;
  readonly modal: () => Locator;
  /** The thread's pane. */
  readonly thread: () => Locator;
  /** Types into the composer and sends. */
  type(text: string): Promise<void>;
  /** Waits for a message. */
  shows(words: string): Promise<void>;
  /** Opens another person's page beside the first. */
  visitAs(user: string): Promise<Page>;
  /** Calls the sandbox's control API. */
  post(path: string, body?: object): Promise<unknown>;
  /** Says that refused requests, which the browser logs, are meant. */
  expectRefusal(status: number): void;
}

interface Options {
  /** What differs from a sandbox with the page's own app. */
  readonly sandbox?: Partial<SlackSandboxOptions>;
  /** Starts the app; what it resolves to stops it. */
  startApp?(url: string): Promise<() => Promise<unknown>>;
}

/** Registers a sandbox, a Bolt app and a browser for a test file; each test begins in Alice's #ops, and fails on errors of the page. */
export function stagePage({ sandbox: options, startApp = startPageApp }: Options = {}): Stage {
  let sandbox: SlackSandbox;
  let stopApp: () => Promise<unknown>;
  let browser: Browser;
  let page: Page;
  let faults: string[] = [];

  beforeAll(async () => {
    sandbox = await createSlackSandbox({ port: 0, manifest: pageManifest, ...options });
    stopApp = await startApp(sandbox.url);
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await stopApp?.();
    // Bolt counts as stopped before its connection is closed, and would log one that breaks.
    await eventually(async () => expect(await connections(sandbox.url)).toBe(0));
    await sandbox?.close();
  });

  beforeEach(async () => {
    await post('reset');
    page = await visitAs('U0ALICE');
    faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  });

  afterEach(async () => {
    await page.context().close();
    expect(faults).toEqual([]);
  });

  async function visitAs(user: string): Promise<Page> {
    const context = await browser.newContext({
      baseURL: sandbox.url,
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const visited = await context.newPage();
    await visited.goto(`${sandbox.url}/#T0ACME/${user}/C0OPS`);
    await visited.getByRole('textbox', { name: /^Message / }).waitFor();
    return visited;
  }

  async function post(path: string, body: object = {}): Promise<unknown> {
    const response = await fetch(`${sandbox.url}/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  }

  const composer = () => page.getByRole('textbox', { name: /^Message / });
  const messages = () => page.getByRole('log', { name: 'Messages' }).locator('.message');

  return {
    url: () => sandbox.url,
    sandbox: () => sandbox,
    page: () => page,
    composer,
    messages,
    last: () => messages().last(),
    modal: () => page.getByRole('dialog'),
    thread: () => page.getByRole('log', { name: 'Thread' }),
    async type(text) {
      await composer().fill(text);
      await composer().press('Enter');
    },
    shows: (words) => messages().filter({ hasText: words }).first().waitFor(),
    visitAs,
    post,
    expectRefusal(status) {
      expect(faults).not.toEqual([]);
      faults = faults.filter((fault) => !fault.includes(`${status}`));
    },
  };
}

async function connections(url: string): Promise<number> {
  const workspace = z.object({ app: z.object({ connections: z.int() }) });
  return workspace.parse(await (await fetch(`${url}/sandbox/workspace`)).json()).app.connections;
}
