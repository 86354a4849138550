import { once } from 'node:events';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { expect } from 'vitest';
import { z } from 'zod';
import { unexpectedErrorMessage } from '../../../src/runs/problem.ts';
import type { StackOptions } from '../../../src/sandbox/stack.ts';
import { startSandboxes } from '../../sandboxes.ts';
import { noWorkingNoticeMs, type SlackMessage } from '../../stack.ts';
import { listExchanges } from '../modals/form/form-driver.ts';
import type { Distort } from './distortions.ts';

const success = z.object({ success: z.literal(true), data: z.unknown() });
const address = z.object({ port: z.number() });

/** A hosting service that keeps the API's routes and envelope but sends anything in them. */
interface HostileService {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a service that forwards calls to another service and changes its responses, including errors. */
async function startHostileService(honestUrl: string, distort: Distort): Promise<HostileService> {
  const app = new Hono();
  app.all('/v1/*', (c) => answer(c.req.raw));
  app.all('/v1', (c) => answer(c.req.raw));
  // At the end of a test, the other service can be gone before it responds.
  app.onError(() => Response.json({ success: false }, { status: 502 }));

  async function answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = method === 'GET' ? '' : await request.text();
    const honest = await fetch(`${honestUrl}${pathname}${search}`, {
      method,
      headers: { authorization: headers.get('authorization') ?? '', 'content-type': 'application/json' },
      ...(body && { body }),
    });
    return Response.json(distorted(await honest.json(), pathname), { status: honest.status });
  }

  function distorted(json: unknown, path: string): unknown {
    const { success: succeeded, data } = success.safeParse(json);
    if (!succeeded) return distort.error(json);
    // The fields of the status stay, because they are checked before anything else is read.
    return { success: true, data: path === '/v1' ? distort.extend(data.data) : distort.transform(data.data) };
  }

  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${address.parse(server.address()).port}`,
    async close() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** So short that no call waits for the quota. */
const windowMs = 50;

/** Channels in which requests are made. Slack accepts one message a second in each. */
export const channels = ['C0OPS', 'C0GENERAL'] as const;

/**
 * Slack's errors that depend on timing rather than content. The app retries, or offers a button
 * instead of a form.
 */
const expectedRejections: ReadonlySet<string | undefined> = new Set(['ratelimited', 'expired_trigger_id']);

type ChannelMessage = SlackMessage & { readonly channel: string };

interface HostileHarnessOptions {
  /** How responses are changed. By default, they aren't. */
  readonly distort?: Distort;
  readonly vpsCount?: number;
  readonly clock?: StackOptions['clock'];
}

/**
 * Starts the app between an untrusted service and a Slack workspace that rejects whatever Slack
 * would reject.
 */
export async function startHostileHarness({ distort, vpsCount = 12, clock }: HostileHarnessOptions) {
  const sandboxes = await startSandboxes({ vpsCount, quota: 100_000, windowMs });
  const { slack, service } = sandboxes;
  const hostile = distort && (await startHostileService(service.url, distort));
  const app = await sandboxes.startApp(
    { workingNoticeMs: noWorkingNoticeMs, ignoreClicksMs: 0, ...(clock && { clock }) },
    hostile?.url,
  );

  const traffic = () => listExchanges(slack.url);
  let said = { count: 0, lastId: 0 };

  /** Returns the app's messages as a person sees them. */
  async function answers(user = 'U0ALICE'): Promise<ChannelMessage[]> {
    const seen = await Promise.all(
      channels.map(async (channel) =>
        (await slack.messages(channel, user)).map((message) => ({ ...message, channel })),
      ),
    );
    return seen.flat();
  }

  return {
    slack,
    service,
    traffic,

    answers,

    /**
     * Advances Slack's clock. Needed because Slack accepts one message a second in each channel,
     * and a limited number of edits a minute.
     */
    async passTime(advance_ms: number): Promise<void> {
      await slack.act('clock', { advance_ms });
    },

    /** Returns how many messages and forms the app has sent. */
    async saidCount(): Promise<number> {
      const added = await listExchanges(slack.url, said.lastId);
      const replies = added.filter(({ kind }) => /^(response_url|views\.open|chat\.post\w+)$/.test(kind));
      said = { count: said.count + replies.length, lastId: added.at(-1)?.id ?? said.lastId };
      return said.count;
    },

    /**
     * Expects that Slack has rejected nothing, that only the actor was mentioned, that no error
     * was unexpected, and that no secret was posted.
     */
    async expectHarmless(secrets: readonly string[] = []): Promise<void> {
      const refused = (await traffic()).filter((one) => one.refused !== undefined);
      expect(refused.filter((one) => !expectedRejections.has(one.refused))).toEqual([]);
      const people = ['U0ALICE', 'U0BOB', 'U0CAROL'];
      const inChannels = people.map((user) => answers(user));
      const inDms = people.map((user) => slack.messages(user, user));
      const seen = (await Promise.all([...inChannels, ...inDms])).flat();
      // A mention that only the person who asked can see notifies nobody.
      const pings = seen.flatMap((message) => (message.ephemeral ? [] : message.pings));
      expect(pings.filter((id) => id !== 'U0ALICE')).toEqual([]);
      expect(seen.filter(({ text }) => text.includes(unexpectedErrorMessage))).toEqual([]);
      const said = [...seen, ...(await traffic())].map((one) => JSON.stringify(one));
      for (const secret of secrets) expect(said.filter((one) => one.includes(secret))).toEqual([]);
    },

    async close(): Promise<void> {
      await app.stop();
      await hostile?.close();
      await sandboxes.close();
    },
  };
}

export type HostileHarness = Awaited<ReturnType<typeof startHostileHarness>>;
