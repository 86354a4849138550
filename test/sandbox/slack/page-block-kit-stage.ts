import { App, LogLevel } from '@slack/bolt';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { z } from 'zod';
import { createSlackSandbox, type SlackSandbox } from '../../../src/sandbox/slack/sandbox.ts';
import { eventually } from '../../eventually.ts';
import { launchChromium } from '../../services/chromium.ts';
import { pageManifest } from './page-app.ts';
import { plain } from './page-app-views.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the app heard: a `block_actions` payload's action, a submission's values, or what was typed in a menu. */
export interface Heard {
  readonly actions: Fields[];
  /** What stood in the form or message at each action. */
  readonly states: Fields[];
  readonly submissions: Fields[];
  readonly asked: string[];
}

/** A page that shows the blocks that a test gives, and an app that only listens. */
export interface KitStage {
  readonly page: () => Page;
  readonly heard: Heard;
  readonly url: () => string;
  /** Posts a message; answers it as Alice sees it. */
  post(blocks: readonly unknown[], more?: Fields): Promise<Locator>;
  /** Opens a modal for Alice. */
  open(blocks: readonly unknown[], more?: Fields): Promise<Locator>;
  /** Publishes Alice's Home tab and goes there. */
  publish(blocks: readonly unknown[]): Promise<Locator>;
  /** Says what the app answers to a menu that asks, and to a submission. */
  answer(answers: Partial<Answers>): void;
  /** Waits until the app heard an action, and answers what was chosen or typed in it. */
  action(actionId: string): Promise<Fields>;
  /** Waits until the app heard a submission, and answers its values. */
  submitted(): Promise<Fields>;
}

interface Answers {
  /** What a menu offers for a text. */
  options(text: string): readonly { label: string; value: string }[];
  submission: object | undefined;
  /** Resolves when the app may acknowledge an action. */
  acknowledging: Promise<void>;
}

const token = 'xoxb-sandbox-acme';
const silent: Answers = {
  options: () => [],
  submission: undefined,
  acknowledging: Promise.resolve(),
};

/** Registers a sandbox, a listening Bolt app and a browser for a test file; each test fails on errors of the page. */
export function stageKit(): KitStage {
  const heard: Heard = { actions: [], states: [], submissions: [], asked: [] };
  let answers = silent;
  let sandbox: SlackSandbox;
  let app: App;
  let browser: Browser;
  let page: Page;
  let faults: string[] = [];

  beforeAll(async () => {
    sandbox = await createSlackSandbox({ port: 0, manifest: pageManifest });
    app = listeningApp(sandbox.url, heard, () => answers);
    await app.start();
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    // Bolt counts as stopped before its connection is closed, and would log one that breaks.
    await eventually(async () => expect(await connections(sandbox.url)).toBe(0));
    await sandbox?.close();
  });

  beforeEach(async () => {
    await fetch(`${sandbox.url}/sandbox/reset`, { method: 'POST' });
    answers = silent;
    for (const list of Object.values(heard)) list.length = 0;
    page = await browser.newPage({ timezoneId: 'UTC', viewport: { width: 1000, height: 900 } });
    faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`${sandbox.url}/#T0ACME/U0ALICE/C0OPS`);
    await page.getByRole('textbox', { name: /^Message / }).waitFor();
  });

  afterEach(async () => {
    await page.close();
    expect(faults).toEqual([]);
  });

  async function call(path: string, body: Fields, isWebApi = true): Promise<Fields> {
    const response = await fetch(`${sandbox.url}/${isWebApi ? 'api' : 'sandbox'}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    const answer = z.record(z.string(), z.unknown()).parse(await response.json());
    if (isWebApi) expect(answer).toMatchObject({ ok: true });
    return answer;
  }

  return {
    page: () => page,
    heard,
    url: () => sandbox.url,
    async post(blocks, more = {}) {
      const { ts } = await call('chat.postMessage', { channel: 'C0OPS', text: 'Kit', blocks, ...more });
      const message = page.locator(`.message[data-ts="${String(ts)}"]`);
      await message.waitFor();
      return message;
    },
    async open(blocks, more = {}) {
      const slash = { user: 'U0ALICE', channel: 'C0OPS', command: '/page' };
      const { trigger_id } = await call('slash', slash, false);
      const view = { type: 'modal', title: plain('Kit'), submit: plain('Send'), blocks, ...more };
      await call('views.open', { trigger_id, view });
      const modal = page.getByRole('dialog', { name: 'Kit' });
      await modal.waitFor();
      return modal;
    },
    async publish(blocks) {
      await call('views.publish', { user_id: 'U0ALICE', view: { type: 'home', blocks } });
      await page.goto(`${sandbox.url}/#T0ACME/U0ALICE/home`);
      const home = page.locator('.kit-blocks').first();
      await home.waitFor();
      return home;
    },
    answer(given) {
      answers = { ...silent, ...given };
    },
    async action(actionId) {
      return eventually(() => {
        const found = heard.actions.findLast(({ action_id: id }) => id === actionId);
        if (!found) throw new Error(`The app heard nothing of ${actionId}`);
        return found;
      });
    },
    submitted: () =>
      eventually(() => {
        const values = heard.submissions.at(-1);
        if (!values) throw new Error('Nothing was submitted');
        return values;
      }),
  };
}

function listeningApp(url: string, heard: Heard, answers: () => Answers): App {
  const app = new App({
    token,
    appToken: 'xapp-sandbox',
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: `${url}/api/` },
  });
  app.command('/page', ({ ack }) => ack());
  app.action(/.*/, async ({ ack, action, body }) => {
    heard.actions.push({ ...action });
    if (body.type === 'block_actions') heard.states.push(body.view?.state.values ?? body.state?.values ?? {});
    await answers().acknowledging;
    await ack();
  });
  app.options(/.*/, async ({ ack, payload }) => {
    heard.asked.push(payload.value);
    const offered = answers().options(payload.value);
    await ack({ options: offered.map(({ label, value }) => ({ text: plain(label), value })) });
  });
  app.view(/.*/, async ({ ack, view }) => {
    heard.submissions.push(view.state.values);
    const { submission } = answers();
    if (submission) await ack({ response_action: 'errors', errors: {}, ...submission });
    else await ack();
  });
  app.event('app_home_opened', async () => {});
  return app;
}

async function connections(url: string): Promise<number> {
  const workspace = z.object({ app: z.object({ connections: z.int() }) });
  return workspace.parse(await (await fetch(`${url}/sandbox/workspace`)).json()).app.connections;
}
