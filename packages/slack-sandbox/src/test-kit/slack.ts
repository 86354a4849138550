import { filterObjects } from '../json.ts';
import { type ControlClient, createControlClient } from './control-client.ts';
import { describeMessages, describeTraffic, describeViews } from './describe.ts';
import { findElement } from './find-element.ts';
import { describePattern, matches } from './patterns.ts';
import {
  isMessage,
  readMessageText,
  readTitle,
  toMessage,
  toObject,
  toStrings,
  toView,
} from './read-answers.ts';
import type {
  ActResult,
  Pattern,
  SlackCall,
  SlackMessage,
  SlackObject,
  SlackView,
  Upload,
} from './slack-types.ts';

export interface ConnectOptions {
  /** The person who acts, unless a call names another one. Defaults to `alice`. */
  readonly user?: string;
  /** The channel that people type in unless a call names another. Defaults to `general`. */
  readonly channel?: string;
  /** ID or name of the workspace. Defaults to the first one. */
  readonly team?: string;
  /** How long waits last. Defaults to 4 seconds, so that a failure shows before the test times out. */
  readonly timeoutMs?: number;
  /** Whether keyboards make typed quotes and dashes typographic. Defaults to true. */
  readonly smartPunctuation?: boolean;
}

/** The person who acts, and the channel. Both are given by name or ID. */
export interface Where {
  readonly user?: string;
  readonly channel?: string;
  readonly team?: string;
  readonly thread_ts?: string;
  /** Name or ID of one of several apps. */
  readonly app?: string;
}

export interface WaitOptions extends Where {
  readonly timeoutMs?: number;
}

/** Drives a workspace of a sandbox as people do, and waits for what the app does. */
export interface Slack {
  /** URL of the sandbox, without a trailing slash. Its page is there. */
  readonly url: string;
  /** The app's `clientOptions.slackApiUrl`. */
  readonly apiUrl: string;
  /** Tokens and secrets under their usual names, such as `SLACK_BOT_TOKEN`. */
  readonly env: Readonly<Record<string, string>>;
  /** Returns the tokens and secrets of one of several apps, by its name or ID. */
  settings(app: string): Promise<Readonly<Record<string, string>>>;
  /** Types a slash command, such as `/deploy now`. */
  slash(commandLine: string, where?: Where): Promise<ActResult>;
  /** Posts a message that mentions the app. */
  mention(text: string, where?: Where): Promise<ActResult>;
  /** Posts a message. */
  say(text: string, where?: Where): Promise<ActResult>;
  /** Posts a message with files. */
  upload(files: Upload | readonly Upload[], where?: Where & { readonly text?: string }): Promise<ActResult>;
  /**
   * Uses an element of a message or view: clicks a button, or chooses `value` in a menu. `name` is its
   * `action_id` or its text.
   */
  click(
    target: SlackMessage | SlackView,
    name: string,
    options?: Where & { readonly value?: unknown },
  ): Promise<ActResult>;
  /**
   * Fills in the fields of a view by label, `action_id` or `block_id`, and submits it. A field for files
   * gets an `Upload`, or a list of them.
   */
  submit(view: SlackView, fields?: Readonly<Record<string, unknown>>, where?: Where): Promise<ActResult>;
  /** Closes a modal. */
  closeView(view: SlackView, where?: Where): Promise<ActResult>;
  /** Runs a global shortcut, or a message shortcut on a message. */
  shortcut(callbackId: string, options?: Where & { readonly message?: SlackMessage }): Promise<ActResult>;
  /** Opens the app's Home tab. */
  openHome(where?: Where): Promise<ActResult>;
  /** Adds an emoji such as `eyes` to a message, or removes it if the person has added it before. */
  react(message: SlackMessage, name: string, where?: Where): Promise<void>;
  /** Edits a person's own message. */
  edit(message: SlackMessage, text: string, where?: Where): Promise<void>;
  /** Deletes a person's own message. */
  remove(message: SlackMessage, where?: Where): Promise<void>;
  /** Opens a thread with the app as an assistant. Pass the result on to `say`. */
  openAssistant(where?: Where): Promise<{ readonly channel: string; readonly thread_ts: string }>;
  /** Returns the messages that a person sees, oldest first. */
  messages(where?: Where): Promise<readonly SlackMessage[]>;
  /**
   * Waits until the app is connected over Socket Mode, so that it gets what happens from now on. Resolves at
   * once for an app that gets its payloads over HTTP.
   */
  waitForApp(options?: WaitOptions): Promise<void>;
  /** Waits for a matching message that was posted or edited since the latest action. Returns the newest. */
  waitForMessage(matching: Pattern<SlackMessage>, options?: WaitOptions): Promise<SlackMessage>;
  /** Waits for an open modal and returns the topmost. `matching` is its title or `callback_id`. */
  waitForView(matching?: Pattern<SlackView>, options?: WaitOptions): Promise<SlackView>;
  /** Waits for a person's Home tab. */
  waitForHome(matching?: Pattern<SlackView>, options?: WaitOptions): Promise<SlackView>;
  /** Waits for a call that the app made since the latest action. */
  waitForCall(
    method: string,
    matching?: (call: SlackCall) => boolean,
    options?: WaitOptions,
  ): Promise<SlackCall>;
  /** Answers a method that the sandbox lacks, until the reset: `answer('canvases.create', { canvas_id: 'F1' })`. */
  answer(method: string, answer: Readonly<Record<string, unknown>>): Promise<void>;
  readonly faults: {
    /** Injects a fault, such as `ratelimit:chat.postMessage`, `ack_delay:4000` or `drop_socket`. */
    add(fault: string, times?: number): Promise<void>;
    /** Cancels the pending faults. */
    clear(): Promise<void>;
  };
  readonly clock: {
    /** Advances Slack's time. Timers that become due run. */
    advance(ms: number): Promise<void>;
  };
  /** Restores the initial workspaces. Connections and the clock stay. */
  reset(): Promise<void>;
  /** For requests of the control API that have no method here. */
  readonly control: ControlClient;
}

/** Connects to a running sandbox. */
export async function connectSlack(url: string, options: ConnectOptions = {}): Promise<Slack> {
  const driver = driveSlack(url, options);
  const { env } = await driver.control.get(
    'settings',
    options.team === undefined ? {} : { team: options.team },
  );
  return { ...driver, env: toStrings(env) };
}

/** Drives a sandbox whose tokens the test knows. Sends nothing yet. */
export function driveSlack(url: string, options: ConnectOptions = {}): Omit<Slack, 'env'> {
  const control = createControlClient(url);
  const defaults = { user: 'alice', channel: 'general', timeoutMs: 4000, ...options };
  const inTeam = (team = options.team) => (team === undefined ? {} : { team });
  const person = (where: Where) => ({
    ...inTeam(where.team),
    user: where.user ?? defaults.user,
    ...(where.app !== undefined && { app: where.app }),
  });
  const place = (where: Where) => ({
    ...person(where),
    channel: where.channel ?? defaults.channel,
    ...(where.thread_ts !== undefined && { thread_ts: where.thread_ts }),
  });
  const typed = (where: Where) => ({
    ...place(where),
    ...(options.smartPunctuation !== undefined && { smart_punctuation: options.smartPunctuation }),
  });
  const address = (target: SlackMessage | SlackView) =>
    isMessage(target) ? { channel: target.channel, ts: target.ts } : { view: target.id };

  async function messages(where: Where = {}, since = 0): Promise<SlackMessage[]> {
    const { channel, thread_ts: thread, ...who } = place(where);
    const query = { ...who, channel, since: String(since), ...(thread && { thread }) };
    const answer = await control.get('messages', query);
    return filterObjects(answer.messages).map((message) => toMessage(message, channel));
  }

  async function views(where: Where): Promise<{ modals: SlackView[]; home: SlackView[] }> {
    const answer = await control.get('views', person(where));
    return {
      modals: filterObjects(answer.modals).map(toView),
      home: filterObjects([answer.home]).map(toView),
    };
  }

  /** Reads a message or view as it is now, because the app can have changed it since the test got it. */
  async function readAgain(target: SlackMessage | SlackView, where: Where): Promise<SlackObject> {
    if (!isMessage(target)) {
      const { modals, home } = await views(where);
      return [...modals, ...home].find(({ id }) => id === target.id) ?? target;
    }
    const { channel, ts } = target;
    const answer = await control.get('messages', { ...person(where), channel, only: ts });
    return filterObjects(answer.messages)[0] ?? target;
  }

  /** Uploads the files in a value, and returns it with their IDs in their place. */
  async function toValue(value: unknown, where: Where): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map((one) => toValue(one, where)));
    if (!isUpload(value)) return value;
    const { content, ...facts } = value;
    const encoded =
      typeof content === 'string'
        ? { content }
        : { content: Buffer.from(content).toString('base64'), encoding: 'base64' };
    const { file } = await control.post('upload', { ...person(where), ...facts, ...encoded });
    return toObject(file).id;
  }

  async function fail(problem: string, seen: string): Promise<never> {
    const traffic = await control.get('traffic', { after: String(control.trafficOfAct()) });
    throw new Error(
      `${problem}\nThere are:\n${seen}\nSince the latest action:\n${describeTraffic(filterObjects(traffic.traffic))}`,
    );
  }

  /** Waits for the last match of a list. */
  async function waitFor<T>(
    what: string,
    { timeoutMs = defaults.timeoutMs }: WaitOptions,
    read: () => Promise<readonly T[]>,
    isMatch: (candidate: T) => boolean,
    describe: (seen: readonly T[]) => string,
  ): Promise<T> {
    let seen: readonly T[] = [];
    const missing = new Error(what);
    const found = await control
      .retryUntil(async () => {
        seen = await read();
        const match = [...seen].reverse().find(isMatch);
        if (match === undefined) throw missing;
        return match;
      }, timeoutMs)
      .catch((error: unknown) => {
        if (error !== missing) throw error;
        return undefined;
      });
    return found ?? fail(`No ${what} within ${timeoutMs} ms.`, describe(seen));
  }

  return {
    url,
    apiUrl: `${url}/api/`,
    settings: async (app) => toStrings((await control.get('settings', { ...inTeam(), app })).env),
    slash(commandLine, where = {}) {
      const [command = ''] = commandLine.split(/\s/, 1);
      const text = commandLine.slice(command.length).trim();
      return control.post('slash', { ...typed(where), command, text });
    },
    mention: (text, where = {}) => control.post('mention', { ...typed(where), text }),
    async upload(files, { text = '', ...where } = {}) {
      const ids = await toValue(Array.isArray(files) ? files : [files], where);
      return control.post('message', { ...typed(where), text, files: ids });
    },
    say: (text, where = {}) => control.post('message', { ...typed(where), text }),
    async click(target, name, { value, ...where } = {}) {
      const element = findElement(await readAgain(target, where), name);
      return control.post('click', { ...person(where), ...address(target), ...element, value });
    },
    async submit(view, fields = {}, where = {}) {
      for (const [name, value] of Object.entries(fields)) {
        const element = findElement(view, name);
        const chosen = await toValue(value, where);
        await control.post('click', { ...person(where), view: view.id, ...element, value: chosen });
      }
      return control.post('submit', { ...person(where), view: view.id });
    },
    closeView: (view, where = {}) => control.post('close', { ...person(where), view: view.id }),
    shortcut: (callbackId, { message, ...where } = {}) =>
      control.post('shortcut', {
        ...person(where),
        callback_id: callbackId,
        ...(message && address(message)),
      }),
    openHome: (where = {}) => control.post('home', person(where)),
    react: async (message, name, where = {}) =>
      void (await control.post('react', { ...person(where), ...address(message), name })),
    edit: async (message, text, where = {}) =>
      void (await control.post('edit', { ...person(where), ...address(message), text })),
    remove: async (message, where = {}) =>
      void (await control.post('delete', { ...person(where), ...address(message) })),
    async openAssistant(where = {}) {
      const { channel, thread_ts } = await control.post('assistant', place(where));
      return { channel: String(channel), thread_ts: String(thread_ts) };
    },
    messages: (where) => messages(where),
    async waitForApp(options = {}) {
      await waitFor(
        `connection of ${options.app ?? 'the app'}`,
        options,
        async () => filterObjects((await control.get('workspace', inTeam(options.team))).apps),
        ({ id, name, delivery, connections }) =>
          [undefined, id, name].includes(options.app) && (delivery === 'http' || Number(connections) > 0),
        (apps) => apps.map(({ name }) => `  ${name}: no connection`).join('\n'),
      );
    },
    waitForMessage(matching, options = {}) {
      const since = control.revisionOfAct();
      const { channel, user } = place(options);
      return waitFor(
        `message matches ${describePattern(matching)} in ${channel}, as ${user} sees it,`,
        options,
        () => messages(options, since),
        (message) => matches(matching, message, [message.text, readMessageText(message)]),
        describeMessages,
      );
    },
    waitForView: (matching = () => true, options = {}) =>
      waitFor(
        `modal matches ${describePattern(matching)} for ${person(options).user}`,
        options,
        async () => (await views(options)).modals.slice(-1),
        (view) => matches(matching, view, [view.callback_id, readTitle(view)]),
        describeViews,
      ),
    waitForHome: (matching = () => true, options = {}) =>
      waitFor(
        `Home tab matches ${describePattern(matching)} for ${person(options).user}`,
        options,
        async () => (await views(options)).home,
        (view) => matches(matching, view, [JSON.stringify(view.blocks)]),
        describeViews,
      ),
    waitForCall: (method, matching = () => true, options = {}) =>
      waitFor(
        `call of ${method} matches`,
        options,
        () => calls(control, method),
        matching,
        (seen) =>
          seen.map(({ args }) => `  ${JSON.stringify(args)}`).join('\n') || '  (no call of this method)',
      ),
    answer: async (method, answer) => void (await control.post('answers', { method, answer })),
    faults: {
      add: async (fault, times = 1) => void (await control.post('faults', { ...inTeam(), fault, times })),
      clear: async () => void (await control.delete(`faults?${new URLSearchParams(inTeam())}`)),
    },
    clock: { advance: async (ms) => void (await control.post('clock', { advance_ms: ms })) },
    reset: async () => void (await control.post('reset')),
    control,
  };
}

function isUpload(value: unknown): value is Upload {
  const { name, content } = toObject(value);
  return typeof name === 'string' && (typeof content === 'string' || content instanceof Uint8Array);
}

async function calls(control: ControlClient, method: string): Promise<SlackCall[]> {
  const { traffic } = await control.get('traffic', { after: String(control.trafficOfAct()) });
  return filterObjects(traffic)
    .filter(({ direction, kind }) => direction === 'from_app' && kind === method)
    .map(({ payload, answer }) => ({ method, args: toObject(payload), answer: toObject(answer) }));
}
