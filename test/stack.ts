import { fileURLToPath } from 'node:url';
import pino, { type Logger } from 'pino';
import { z } from 'zod';
import type { AppOptions, Granted } from '../src/app.ts';
import type { HostingSandboxOptions } from '../src/sandbox/hosting/sandbox.ts';
import { createStack } from '../src/sandbox/stack.ts';
import { eventually } from './eventually.ts';
import { freePort } from './services/free-port.ts';

type Json = Record<string, unknown>;

const block = z.looseObject({
  block_id: z.string().optional(),
  elements: z
    .array(z.looseObject({ action_id: z.string().optional(), value: z.string().optional() }))
    .optional(),
  element: z.looseObject({ action_id: z.string().optional() }).optional(),
});

const slackMessage = z.looseObject({
  ts: z.string(),
  text: z.string(),
  blocks: z.array(block).default([]),
  ephemeral: z.boolean().default(false),
  pings: z.array(z.string()),
});

export type SlackMessage = z.infer<typeof slackMessage>;

const modalView = z.looseObject({ id: z.string(), blocks: z.array(block) });

export type ModalView = z.infer<typeof modalView>;

const serviceCall = z.looseObject({
  at: z.number(),
  method: z.string(),
  path: z.string(),
  body: z.unknown(),
  status: z.number(),
});

/** What the control API answers to an act of a person. */
const actAnswer = z.looseObject({
  acknowledged: z.boolean().optional(),
  ack_ms: z.number().optional(),
  response_action: z.string().optional(),
  errors: z.record(z.string(), z.string()).optional(),
  options: z.array(z.looseObject({ value: z.string() })).optional(),
});

export const manifestPath = fileURLToPath(new URL('../manifest.yml', import.meta.url));

/** Grants a right on everything to people. */
export function granted(right: Granted['right'], ...people: readonly string[]): readonly Granted[] {
  return people.map((grantee) => ({ grantee, right, pattern: '*' }));
}

export interface StartOptions {
  readonly delivery?: 'socket' | 'http';
  readonly hosting?: Partial<HostingSandboxOptions>;
  readonly databaseUrl?: string;
  readonly log?: Logger;
  /** Rights in Acme; Bob and Carol may look unless given. */
  readonly grants?: readonly Granted[];
  /** By which reports come. */
  readonly clock?: AppOptions['clock'];
}

/** Starts everything on free ports and gives what a test drives it by: the control APIs of the two sandboxes. */
export async function startStack({
  delivery = 'socket',
  hosting = {},
  databaseUrl = 'sqlite::memory:',
  log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
  grants,
  clock,
}: StartOptions = {}) {
  const appUrl = `http://127.0.0.1:${await freePort()}/slack/events`;
  const slackDelivery = delivery === 'http' ? (`http:${appUrl}` as const) : 'socket';
  const stack = await createStack({
    hosting: { port: 0, ...hosting },
    slack: { port: 0, manifest: manifestPath, delivery: slackDelivery },
    databaseUrl,
    log,
    ...(grants && { grants }),
    ...(clock && { clock }),
  });
  return {
    appUrl,
    /** Where the app's server is: health, metrics, and the pages that install it. */
    serverUrl: stack.app.url,
    slack: slackControl(stack.slack.url),
    service: serviceControl(stack.hosting.url),
    close: stack.close,
  };
}

export type RunningStack = Awaited<ReturnType<typeof startStack>>;

/** Drives the Slack workspace as people do. */
export function slackControl(url: string) {
  const act = async (path: string, body: Json) =>
    actAnswer.parse(await postJson(`${url}/sandbox/${path}`, body));

  const messages = async (channel = 'C0OPS', user = 'U0ALICE', team = 'T0ACME') => {
    const answer = await getJson(`${url}/sandbox/messages?team=${team}&channel=${channel}&user=${user}`);
    return z.object({ messages: z.array(slackMessage) }).parse(answer).messages;
  };

  const openModals = async (user = 'U0ALICE', team = 'T0ACME') => {
    const answer = await getJson(`${url}/sandbox/views?team=${team}&user=${user}`);
    return z.looseObject({ modals: z.array(modalView) }).parse(answer).modals;
  };

  /** All text of the App Home that somebody sees. */
  const home = async (user = 'U0ALICE', team = 'T0ACME') => {
    const answer = await getJson(`${url}/sandbox/views?team=${team}&user=${user}`);
    return JSON.stringify(z.looseObject({ home: z.unknown() }).parse(answer).home);
  };

  return {
    url,
    act,
    messages,
    openModals,
    home,
    slash: (text: string, { user = 'U0ALICE', channel = 'C0OPS', team = 'T0ACME' } = {}) =>
      act('slash', { team, user, channel, command: '/vps', text }),
    mention: (text: string, more: Json = {}) =>
      act('mention', { user: 'U0ALICE', channel: 'C0OPS', text, ...more }),
    click: (message: SlackMessage, action_id: string, more: Json = {}) =>
      act('click', { user: 'U0ALICE', channel: 'C0OPS', ts: message.ts, action_id, ...more }),
    submit: (view: ModalView, values: Json, user = 'U0ALICE') =>
      act('submit', { user, view: view.id, values }),
    fault: (fault: string, times = 1) => act('faults', { fault, times }),
    /** Waits for a modal and gives the topmost. */
    async modal(user = 'U0ALICE'): Promise<ModalView> {
      return eventually(async () => {
        const top = (await openModals(user)).at(-1);
        if (!top) throw new Error('no modal is open');
        return top;
      });
    },
    /** Waits for a message that a person sees and gives the newest such. */
    async message(
      matching: string | RegExp,
      channel = 'C0OPS',
      user = 'U0ALICE',
      team = 'T0ACME',
    ): Promise<SlackMessage> {
      return eventually(async () => {
        const seen = await messages(channel, user, team);
        const found = seen.findLast(({ text }) =>
          typeof matching === 'string' ? text.includes(matching) : matching.test(text),
        );
        if (!found)
          throw new Error(
            `no message matches ${matching}; there are: ${seen.map(({ text }) => text).join(' | ')}`,
          );
        return found;
      });
    },
  };
}

/** Looks at the hosting service, and breaks it. */
export function serviceControl(url: string) {
  const calls = async () =>
    z.object({ calls: z.array(serviceCall) }).parse(await getJson(`${url}/sandbox/calls`)).calls;
  return {
    url,
    calls,
    /** The calls that were to change something. */
    changes: async () => (await calls()).filter(({ method }) => method !== 'GET'),
    fault: (fault: string, more: Json = {}) => postJson(`${url}/sandbox/faults`, { fault, ...more }),
    /** Does something to a VPS behind the app's back, with the full key. */
    async act(vps: string, action: string): Promise<void> {
      const response = await fetch(`${url}/v1/vps/${vps}/action`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer sandbox-key-full' },
        body: JSON.stringify({ action }),
      });
      if (!response.ok) throw new Error(`the service answered ${response.status}`);
    },
    /** Makes a VPS read so from now on: shares from 0 to 1, and bytes per second; as usual where nothing is given. */
    load: (
      vps: string,
      load: { cpu?: number; mem?: number; disk?: number; netin?: number; netout?: number },
    ) => postJson(`${url}/sandbox/load`, { vps, load }),
    /** Adds an API key to the account. */
    addKey: (key: string, more: Json = {}) => postJson(`${url}/sandbox/keys`, { key, ...more }),
  };
}

/** All text of the blocks of a message or a view, to look for words in. */
export function textOf(message: Pick<SlackMessage, 'blocks'>): string {
  return JSON.stringify(message.blocks);
}

async function postJson(url: string, body: Json): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

async function getJson(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}
