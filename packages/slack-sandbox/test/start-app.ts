import type { webApi } from '@slack/bolt';
import { z } from 'zod';
import { fullManifest, type Sandbox, startSandbox, tokens } from './harness.ts';

const eventCallback = z.looseObject({ event: z.looseObject({ type: z.string() }) });

export interface TestApp {
  readonly sandbox: Sandbox;
  readonly client: webApi.WebClient;
  /** Calls methods in the name of the owner, Alice, with the user scopes. */
  readonly alice: webApi.WebClient;
  /** Returns the events that Slack has sent, oldest first. Nobody has to listen for that. */
  events(): Promise<readonly z.output<typeof eventCallback>['event'][]>;
  /** Calls a method and returns Slack's error code, or `ok`. */
  outcome(method: string, args: Record<string, unknown>): Promise<string>;
}

/** Starts a sandbox with an app that has the scopes of the usual manifest and these, and these events. */
export async function startApp(needs: {
  readonly scopes: readonly string[];
  readonly events?: readonly string[];
  readonly userScopes?: readonly string[];
  readonly userEvents?: readonly string[];
  readonly features?: object;
}): Promise<TestApp> {
  const { oauth_config, settings, features } = fullManifest;
  const { userScopes = [], events = [], userEvents = [] } = needs;
  const sandbox = await startSandbox({
    manifest: {
      ...fullManifest,
      features: { ...features, ...needs.features },
      oauth_config: { scopes: { bot: [...oauth_config.scopes.bot, ...needs.scopes], user: userScopes } },
      settings: { ...settings, event_subscriptions: { bot_events: events, user_events: userEvents } },
    },
  });
  return {
    sandbox,
    client: sandbox.client(),
    alice: sandbox.client('xoxp-sandbox-acme'),
    async events() {
      const sent = (await sandbox.traffic()).filter(({ kind, retry }) => kind === 'events_api' && !retry);
      return sent.map(({ payload }) => eventCallback.parse(payload).event);
    },
    async outcome(method, args) {
      const response = await fetch(`${sandbox.url}/api/${method}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokens.acme}` },
        body: new URLSearchParams(
          Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)])),
        ),
      });
      const { ok, error } = z
        .looseObject({ ok: z.boolean(), error: z.string().optional() })
        .parse(await response.json());
      return ok ? 'ok' : (error ?? '');
    },
  };
}
