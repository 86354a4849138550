import { App, LogLevel } from '@slack/bolt';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { z } from 'zod';
import { createSlackSandbox, type SlackSandbox } from '../../../src/slack-sandbox.ts';
import { eventually } from '../../eventually.ts';
import { fixtureManifest } from '../fixture/fixture-app.ts';
import { plainText } from '../fixture/fixture-app-views.ts';
import { setUpReusedPage } from '../fixture/reused-page.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Payloads that the app received: the action of each `block_actions` payload, the values of each
 * submission, and each text typed into a menu.
 */
export interface ReceivedPayloads {
  readonly actions: Fields[];
  /** The values in the form or message at each action. */
  readonly states: Fields[];
  readonly submissions: Fields[];
  readonly suggestQueries: string[];
}

/** A page that shows a test's blocks, and an app that only listens. */
export interface BlockKitFixture {
  readonly page: () => Page;
  readonly received: ReceivedPayloads;
  readonly url: () => string;
  /** Posts a message. Returns it as Alice sees it. */
  post(blocks: readonly unknown[], more?: Fields): Promise<Locator>;
  /** Opens a modal for Alice. */
  open(blocks: readonly unknown[], more?: Fields): Promise<Locator>;
  /** Publishes Alice's Home tab and opens it. */
  publish(blocks: readonly unknown[]): Promise<Locator>;
  /** Sets the app's responses to a menu's request for options, and to a submission. */
  setResponses(answers: Partial<AppResponses>): void;
  /** Waits until the app has received an action. Returns what was chosen or typed in it. */
  waitForAction(actionId: string): Promise<Fields>;
  /** Waits until the app has received a submission. Returns its values. */
  waitForSubmission(): Promise<Fields>;
}

interface AppResponses {
  /** Returns the options that a menu offers for typed text. */
  options(text: string): readonly { label: string; value: string }[];
  submission: object | undefined;
  /** The app acknowledges actions once this resolves. */
  acknowledgement: Promise<void>;
}

const token = 'xoxb-sandbox-acme';
const defaultResponses: AppResponses = {
  options: () => [],
  submission: undefined,
  acknowledgement: Promise.resolve(),
};

/**
 * Registers a sandbox, a listening Bolt app and a browser for a test file. Each test fails if the
 * page has errors.
 */
export function setUpBlockKitPage(): BlockKitFixture {
  const received: ReceivedPayloads = { actions: [], states: [], submissions: [], suggestQueries: [] };
  let answers = defaultResponses;
  const reused = setUpReusedPage(() => ({
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    viewport: { width: 1000, height: 900 },
  }));
  let sandbox: SlackSandbox;
  let app: App;
  let page: Page;
  let faults: string[] = [];

  beforeAll(async () => {
    sandbox = await createSlackSandbox({ port: 0, manifest: fixtureManifest });
    app = createListeningApp(sandbox.url, received, () => answers);
    await app.start();
  });

  afterAll(async () => {
    await app?.stop();
    // Bolt counts as stopped before its connection is closed. It would log a connection that
    // breaks.
    await eventually(async () => expect(await countConnections(sandbox.url)).toBe(0));
    await sandbox?.close();
  });

  beforeEach(async () => {
    await call('reset', {}, false);
    answers = defaultResponses;
    for (const list of Object.values(received)) list.length = 0;
    page = await reused.take();
    faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(`${sandbox.url}/#T0ACME/U0ALICE/C0OPS`);
    await page.getByRole('textbox', { name: /^Message / }).waitFor();
  });

  afterEach(() => expect(faults).toEqual([]));

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
    received,
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
      const view = { type: 'modal', title: plainText('Kit'), submit: plainText('Send'), blocks, ...more };
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
    setResponses(given) {
      answers = { ...defaultResponses, ...given };
    },
    async waitForAction(actionId) {
      return eventually(() => {
        const found = received.actions.findLast(({ action_id: id }) => id === actionId);
        if (!found) throw new Error(`The app heard nothing of ${actionId}`);
        return found;
      });
    },
    waitForSubmission: () =>
      eventually(() => {
        const values = received.submissions.at(-1);
        if (!values) throw new Error('Nothing was submitted');
        return values;
      }),
  };
}

function createListeningApp(url: string, received: ReceivedPayloads, answers: () => AppResponses): App {
  const app = new App({
    token,
    appToken: 'xapp-sandbox',
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: `${url}/api/` },
  });
  app.command('/page', ({ ack }) => ack());
  app.action(/.*/, async ({ ack, action, body }) => {
    received.actions.push({ ...action });
    if (body.type === 'block_actions')
      received.states.push(body.view?.state.values ?? body.state?.values ?? {});
    await answers().acknowledgement;
    await ack();
  });
  app.options(/.*/, async ({ ack, payload }) => {
    received.suggestQueries.push(payload.value);
    const offered = answers().options(payload.value);
    await ack({ options: offered.map(({ label, value }) => ({ text: plainText(label), value })) });
  });
  app.view(/.*/, async ({ ack, view }) => {
    received.submissions.push(view.state.values);
    const { submission } = answers();
    if (submission) await ack({ response_action: 'errors', errors: {}, ...submission });
    else await ack();
  });
  app.event('app_home_opened', async () => {});
  return app;
}

async function countConnections(url: string): Promise<number> {
  const workspace = z.object({ app: z.object({ connections: z.int() }) });
  return workspace.parse(await (await fetch(`${url}/sandbox/workspace`)).json()).app.connections;
}
