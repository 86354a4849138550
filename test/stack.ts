import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { createControlClient, driveSlack, type Where } from 'slack-sandbox/test';
import { parse } from 'yaml';
import { z } from 'zod';
import type { GrantRef } from '../src/app.ts';
import { type ChartRenderer, createChartRenderer } from '../src/charts/chart-renderer.ts';
import type { HostingSandboxOptions } from '../src/sandbox/hosting/sandbox.ts';
import { createStack, type StackOptions as SandboxOptions } from '../src/sandbox/stack.ts';
import { findFreePort } from './services/find-free-port.ts';

type Json = Record<string, unknown>;

const blockSchema = z.looseObject({
  block_id: z.string().optional(),
  elements: z
    .array(z.looseObject({ action_id: z.string().optional(), value: z.string().optional() }))
    .optional(),
  element: z.looseObject({ action_id: z.string().optional() }).optional(),
});

const slackMessageSchema = z.looseObject({
  ts: z.string(),
  text: z.string(),
  blocks: z.array(blockSchema).default([]),
  ephemeral: z.boolean().default(false),
  pings: z.array(z.string()),
});

export type SlackMessage = z.infer<typeof slackMessageSchema>;

const modalViewSchema = z.looseObject({ id: z.string(), blocks: z.array(blockSchema) });

export type ModalView = z.infer<typeof modalViewSchema>;

const hostingCallSchema = z.looseObject({
  at: z.number(),
  method: z.string(),
  path: z.string(),
  body: z.unknown(),
  status: z.number(),
});

/** The control API's response to a person's action. */
const controlResponse = z.looseObject({
  acknowledged: z.boolean().optional(),
  ack_ms: z.number().optional(),
  response_action: z.string().optional(),
  errors: z.record(z.string(), z.string()).optional(),
  options: z.array(z.looseObject({ value: z.string() })).optional(),
});

export const manifestPath = fileURLToPath(new URL('../manifest.yml', import.meta.url));

/** Returns the manifest of an app that can find its posts again when it doesn't know whether they were made. */
export function manifestWithHistory(): object {
  const manifest = parse(readFileSync(manifestPath, 'utf8'));
  manifest.oauth_config.scopes.bot.push('channels:history');
  return manifest;
}

/** Returns grants that give people a right on everything. */
export function grantAll(right: GrantRef['right'], ...people: readonly string[]): readonly GrantRef[] {
  return people.map((grantee) => ({ grantee, right, pattern: '*' }));
}

export interface StackOptions extends Partial<Omit<SandboxOptions, 'hosting' | 'slack'>> {
  readonly delivery?: 'socket' | 'http';
  /** The app's manifest. Defaults to `manifest.yml`. */
  readonly manifest?: object | string;
  readonly hosting?: Partial<HostingSandboxOptions>;
}

/** The time limit is longer than any test takes, so that a busy machine leaves no graph out. */
const chartRenderer = createChartRenderer({ timeoutMs: 600_000 });

/** An app closes its renderer when it stops. The shared one ends with the test process. */
const sharedCharts: ChartRenderer = { render: chartRenderer.render, async close() {} };

/** Longer than any test takes. */
export const noWorkingNoticeMs = 3_600_000;

/** Starts everything on free ports. Returns drivers that use the control APIs of the two sandboxes. */
export async function startStack({
  delivery = 'socket',
  manifest = manifestPath,
  hosting,
  ...options
}: StackOptions = {}) {
  const appUrl = `http://127.0.0.1:${await findFreePort()}/slack/events`;
  const slackDelivery = delivery === 'http' ? (`http:${appUrl}` as const) : 'socket';
  const stack = await createStack({
    hosting: { port: 0, ...hosting },
    slack: { port: 0, manifest, delivery: slackDelivery },
    databaseUrl: 'sqlite::memory:',
    log: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
    // Every read asks the hosting service, so that tests see each change to it.
    sharedReadMs: 0,
    // No notice says that a reply takes a moment, so that a busy machine doesn't change the messages.
    workingNoticeMs: noWorkingNoticeMs,
    // No click is ignored, so that tests needn't wait after an edit.
    ignoreClicksMs: 0,
    // All apps of a test process share one, because starting it takes seconds on a busy machine.
    charts: sharedCharts,
    ...options,
  });
  let stopped: Promise<void> | undefined;
  return {
    /** Where Slack delivers over HTTP. */
    appUrl,
    /** URL of the app's server: health checks, metrics and install pages. */
    serverUrl: stack.app.url,
    slack: createSlackDriver(stack.slack.url),
    service: createHostingDriver(stack.hosting.url),
    /** Stops the app once all its work is done. */
    stopApp: () => {
      stopped ??= stack.app.stop();
      return stopped;
    },
    async close(): Promise<void> {
      if (!stopped) return stack.close();
      await stopped;
      await stack.slack.close();
      await stack.hosting.close();
    },
  };
}

export type RunningStack = Awaited<ReturnType<typeof startStack>>;

/** Longest wait for something to happen in Slack. */
const maxWaitMs = 60_000;

/** Drives the Slack workspace as people do. */
export function createSlackDriver(url: string) {
  const kit = driveSlack(url, { user: 'U0ALICE', channel: 'C0OPS', team: 'T0ACME', timeoutMs: maxWaitMs });
  const { control } = kit;

  const act = async (path: string, body: Json) => controlResponse.parse(await control.post(path, body));

  const messages = async (channel = 'C0OPS', user = 'U0ALICE', team = 'T0ACME', since = 0) => {
    const answer = await control.get('messages', { team, channel, user, since: String(since) });
    return z.object({ messages: z.array(slackMessageSchema) }).parse(answer).messages;
  };

  /** Returns the messages that were posted or edited since the latest action of a person. */
  const newMessages = (channel?: string, user?: string, team?: string) =>
    messages(channel, user, team, control.revisionOfAct());

  /** Repeats an attempt each time something has changed in Slack, until it succeeds. */
  const untilSeen = <T>(attempt: () => Promise<T>) => control.retryUntil(attempt, maxWaitMs);

  const openModals = async (user = 'U0ALICE', team = 'T0ACME') => {
    const answer = await control.get('views', { team, user });
    return z.looseObject({ modals: z.array(modalViewSchema) }).parse(answer).modals;
  };

  /** Returns all text of a person's App Home. */
  const home = async (user = 'U0ALICE', team = 'T0ACME') => {
    const answer = await control.get('views', { team, user });
    return JSON.stringify(z.looseObject({ home: z.unknown() }).parse(answer).home);
  };

  return {
    url,
    act,
    messages,
    newMessages,
    openModals,
    home,
    untilSeen,
    waitForCall: kit.waitForCall,
    slash: (text: string, { user = 'U0ALICE', channel = 'C0OPS', team = 'T0ACME' } = {}) =>
      act('slash', { team, user, channel, command: '/vps', text }),
    mention: async (text: string, where: Where = {}) => controlResponse.parse(await kit.mention(text, where)),
    /** Clicks a button of a message, or an option in its menu, named by its label or its action ID. */
    click: (message: SlackMessage, name: string, more: Json = {}) => {
      const target = findClickTarget(message, name) ?? { action_id: name };
      return act('click', { user: 'U0ALICE', channel: 'C0OPS', ts: message.ts, ...target, ...more });
    },
    submit: (view: ModalView, values: Json, user = 'U0ALICE') =>
      act('submit', { user, view: view.id, values }),
    fault: (fault: string, times = 1) => act('faults', { fault, times }),
    /** Waits for a modal and returns the topmost one. */
    modal: async (user = 'U0ALICE') => modalViewSchema.parse(await kit.waitForView(undefined, { user })),
    /**
     * Waits for a message that a person can see and that was posted or edited since the latest
     * action of a person. Returns the newest one.
     */
    async message(
      matching: TextPattern,
      channel?: string,
      user?: string,
      team?: string,
    ): Promise<SlackMessage> {
      const where = { ...(channel && { channel }), ...(user && { user }), ...(team && { team }) };
      return slackMessageSchema.parse(await kit.waitForMessage(matching, where));
    },
    /**
     * Returns the newest matching message that was posted or edited since the latest action of a
     * person. Doesn't wait.
     */
    async newMessage(matching: TextPattern, channel?: string, user?: string): Promise<SlackMessage> {
      return findNewest(await newMessages(channel, user), matching);
    },
    /** Returns the newest matching message that a person can see, however old it is. */
    async earlierMessage(
      matching: TextPattern,
      channel?: string,
      user?: string,
      team?: string,
    ): Promise<SlackMessage> {
      return findNewest(await messages(channel, user, team), matching);
    },
  };
}

const label = z.looseObject({ text: z.string() });

/** A button has a text, and a menu has options. */
const labeledElement = z.looseObject({
  action_id: z.string(),
  text: label.optional(),
  options: z.array(z.object({ text: label, value: z.string() })).default([]),
});

/** Returns what the first button with a label, or the first such option of a menu, is clicked by. */
function findClickTarget({ blocks }: SlackMessage, wanted: string) {
  return blocks
    .flatMap(({ elements = [], accessory }) => [...elements, accessory])
    .flatMap((element) => labeledElement.safeParse(element).data ?? [])
    .flatMap(({ action_id, text, options }) => [
      ...(text?.text === wanted ? [{ action_id }] : []),
      ...options.flatMap((one) => (one.text.text === wanted ? { action_id, value: one.value } : [])),
    ])
    .at(0);
}

type TextPattern = string | RegExp;

function findNewest(seen: readonly SlackMessage[], matching: TextPattern): SlackMessage {
  const found = seen.findLast(({ text }) =>
    typeof matching === 'string' ? text.includes(matching) : matching.test(text),
  );
  const texts = seen.map(({ text }) => text).join(' | ');
  if (!found) throw new Error(`no message matches ${matching}; there are: ${texts}`);
  return found;
}

/** Reads from the hosting service and injects faults into it. */
export function createHostingDriver(url: string) {
  const control = createControlClient(url);
  const calls = async () =>
    z.object({ calls: z.array(hostingCallSchema) }).parse(await control.get('calls')).calls;
  return {
    url,
    calls,
    /** Returns the calls that were meant to change something. */
    changes: async () => (await calls()).filter(({ method }) => method !== 'GET'),
    fault: (fault: string, more: Json = {}) => control.post('faults', { fault, ...more }),
    /** Cancels the faults that haven't affected a call yet. */
    cancelFaults: () => control.delete('faults'),
    /** Brings the account back into its first state, and forgets the calls. */
    reset: () => control.post('reset', {}),
    /** Calls the API with the full key, without the app. Returns the data of its response. */
    async call(method: string, path: string, body?: unknown): Promise<unknown> {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', authorization: 'Bearer sandbox-key-full' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
      return z.object({ data: z.unknown() }).parse(await response.json()).data;
    },
    /**
     * Overrides the load of a VPS from now on: shares from 0 to 1, and bytes per second. Values
     * that are left out stay as usual.
     */
    load: (
      vps: string,
      load: { cpu?: number; mem?: number; disk?: number; netin?: number; netout?: number },
    ) => control.post('load', { vps, load }),
    /** Splits lists into pages of this size. */
    split: (size: number) => control.post('pages', { size }),
    /** Gives a VPS another hostname. */
    rename: (vps: string, hostname: string) => control.post('hostname', { vps, hostname }),
    /** Adds an API key to the account. */
    addKey: (key: string, more: Json = {}) => control.post('keys', { key, ...more }),
  };
}

/** Returns the blocks of a message or view as text, to search for words in it. */
export function blocksText(message: Pick<SlackMessage, 'blocks'>): string {
  return JSON.stringify(message.blocks);
}
