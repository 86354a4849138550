import { createServer } from 'node:http';
import { App, HTTPReceiver, LogLevel, webApi } from '@slack/bolt';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { createSlackSandbox, type SlackSandboxOptions } from '../src/slack-sandbox.ts';

/** A time in 2030. The sandbox's clock is stopped at this time unless a test advances it. */
export const startMs = Date.UTC(2030, 0, 15, 12);

export const tokens = { acme: 'xoxb-sandbox-acme', globex: 'xoxb-sandbox-globex', app: 'xapp-sandbox' };

const message = z.looseObject({ ts: z.string(), text: z.string(), user: z.string() });
const view = z.looseObject({ id: z.string(), hash: z.string() });
const exchange = z.looseObject({ kind: z.string(), payload: z.looseObject({}) });
const errorBody = z.looseObject({ error: z.string() });

type Json = Record<string, unknown>;

/** The manifest of an app that uses everything. Tests remove parts of it. */
export const fullManifest = {
  display_information: { name: 'Tester' },
  features: {
    app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
    bot_user: { display_name: 'Tester' },
    shortcuts: [
      { name: 'Make One', type: 'global', callback_id: 'make', description: 'Makes one' },
      { name: 'Keep This', type: 'message', callback_id: 'keep', description: 'Keeps a message' },
    ],
    slash_commands: [
      { command: '/vps', description: 'Runs', should_escape: true },
      { command: '/raw', description: 'Runs', should_escape: false },
    ],
  },
  oauth_config: {
    scopes: {
      bot: [
        ...[
          'app_mentions:read',
          'channels:history',
          'channels:join',
          'channels:read',
          'chat:write',
          'commands',
        ],
        ...['files:read', 'files:write', 'im:history', 'im:read', 'im:write', 'team:read'],
        ...['usergroups:read', 'users:read', 'users:read.email'],
      ],
    },
  },
  settings: {
    event_subscriptions: {
      bot_events: ['app_home_opened', 'app_mention', 'member_joined_channel', 'message.im', 'tokens_revoked'],
    },
    interactivity: { is_enabled: true },
    socket_mode_enabled: true,
  },
};

export interface Sandbox {
  readonly url: string;
  readonly port: number;
  post(path: string, body?: Json): Promise<Json>;
  get(path: string, query?: Record<string, string>): Promise<Json>;
  /** Returns the HTTP status and the response. */
  status(path: string, body: Json): Promise<{ status: number; answer: Json }>;
  advance(ms: number): Promise<void>;
  client(token?: string, options?: webApi.WebClientOptions): webApi.WebClient;
  /** Returns what a person sees in a channel, oldest message first. */
  messages(channel: string, user: string): Promise<z.infer<typeof message>[]>;
  /** Returns the traffic between Slack and the app. */
  traffic(): Promise<z.infer<typeof exchange>[]>;
  /** Returns the top view of a person's modal. Throws if there is none. */
  modal(user: string): Promise<z.infer<typeof view>>;
}

/** Starts a sandbox whose clock is stopped. It is closed when the test ends. */
export async function startSandbox(options: Partial<SlackSandboxOptions> = {}): Promise<Sandbox> {
  const started = await createSlackSandbox({
    port: 0,
    manifest: fullManifest,
    now: () => startMs,
    ...options,
  });
  onTestFinished(() => started.close());
  const { url, port } = started;

  async function status(path: string, body: Json) {
    const response = await fetch(`${url}/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, answer: await readJson(response) };
  }

  async function get(path: string, query: Record<string, string> = {}) {
    const response = await fetch(`${url}/sandbox/${path}?${new URLSearchParams(query)}`);
    return assertOk({ status: response.status, answer: await readJson(response) });
  }

  return {
    url,
    port,
    status,
    get,
    post: async (path, body = {}) => assertOk(await status(path, body)),
    advance: async (ms) => void (await status('clock', { advance_ms: ms })),
    client: (token = tokens.acme, extra = {}) =>
      new webApi.WebClient(token, {
        slackApiUrl: `${url}/api/`,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
        logger: silent,
        ...extra,
      }),
    messages: async (channel, user) =>
      z.array(message).parse((await get('messages', { channel, user })).messages),
    traffic: async () => z.array(exchange).parse((await get('traffic')).traffic),
    modal: async (user) => {
      const top = z
        .array(view)
        .parse((await get('views', { user })).modals)
        .at(-1);
      if (!top) throw new Error(`${user} has no modal open`);
      return top;
    },
  };
}

const readJson = async (response: Response) => z.looseObject({}).parse(await response.json());

function assertOk({ status, answer }: { status: number; answer: Json }): Json {
  if (status !== 200) throw new Error(`${status}: ${errorBody.parse(answer).error}`);
  return answer;
}

const silent = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

/** Starts a real Bolt app over Socket Mode. It is stopped when the test ends. */
export async function startSocketApp(
  sandbox: Pick<Sandbox, 'url'>,
  configure: (app: App) => void,
  credentials: { readonly app: string; readonly acme: string } = tokens,
): Promise<App> {
  const app = new App({
    token: credentials.acme,
    appToken: credentials.app,
    socketMode: true,
    clientOptions: { slackApiUrl: `${sandbox.url}/api/` },
    logger: silent,
  });
  configure(app);
  await app.start();
  onTestFinished(async () => void (await app.stop()));
  return app;
}

/**
 * Starts a sandbox and a real Bolt app to which it delivers by signed HTTP. They are stopped when
 * the test ends.
 */
export async function startHttpApp(
  configure: (app: App) => void,
  manifest: object = fullManifest,
): Promise<Sandbox> {
  const receiver = new HTTPReceiver({ signingSecret: 'sandbox-signing-secret', logger: silent });
  const server = createServer((request, response) => receiver.requestListener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The app has no port');
  const delivery = `http:http://127.0.0.1:${address.port}/slack/events` as const;
  const sandbox = await startSandbox({ delivery, manifest });
  const clientOptions = { slackApiUrl: `${sandbox.url}/api/` };
  configure(new App({ token: tokens.acme, receiver, clientOptions, logger: silent }));
  return sandbox;
}
