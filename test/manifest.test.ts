import { execSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { coveredMethods, createSlackSandbox } from 'slack-sandbox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createAppLink, toHttpManifest } from '../scripts/app-manifest.ts';
import { type BotScope, botScopes } from '../src/slack/oauth/bot-scopes.ts';
import { slashCommandName } from '../src/slack/slash-command-name.ts';
import { manifestPath } from './stack.ts';

const manifestSchema = z.looseObject({
  features: z.looseObject({
    slash_commands: z.array(
      z.looseObject({
        command: z.string(),
        usage_hint: z.string(),
        should_escape: z.boolean(),
        url: z.string().optional(),
      }),
    ),
    shortcuts: z.array(z.looseObject({ callback_id: z.string() })).default([]),
  }),
  oauth_config: z.looseObject({
    scopes: z.looseObject({ bot: z.array(z.string()), bot_optional: z.array(z.string()) }),
  }),
  settings: z.looseObject({
    event_subscriptions: z.looseObject({
      bot_events: z.array(z.string()),
      request_url: z.string().optional(),
    }),
    interactivity: z.looseObject({
      request_url: z.string().optional(),
      message_menu_options_url: z.string().optional(),
    }),
    socket_mode_enabled: z.boolean(),
  }),
});

const text = readFileSync(manifestPath, 'utf8');
const manifest = manifestSchema.parse(parse(text));
const source = globSync('src/slack/**/*.ts')
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

/** What the app registers with Bolt, by the method of Bolt that does. */
function findRegistered(method: string): string[] {
  return [...source.matchAll(new RegExp(`\\bapp\\.${method}(?:<[^(]*>)?\\(\\s*'([^']+)'`, 'g'))].flatMap(
    (match) => match[1] ?? [],
  );
}

function requiredScopes(name: string): readonly string[] {
  return coveredMethods.get(name)?.scopes ?? [`unknown method ${name}`];
}

/**
 * Calls that work without their scopes: an interrupted post is searched for only if the team lets
 * the app read its channels.
 */
const optionalScopeMethods = ['auth.test', 'conversations.history', 'conversations.replies'];

/** Scopes that Slack requires for the methods and events that the app uses. */
function findScopesInUse(): string[] {
  const called = [...source.matchAll(/\bclient\.(\w+(?:\.\w+)+)\(/g)].flatMap((match) => match[1] ?? []);
  expect(called).toContain('chat.postMessage');
  const forCalls = called.filter((name) => !optionalScopeMethods.includes(name)).flatMap(requiredScopes);
  const forEvents = findRegistered('event').flatMap(
    (event) =>
      ({
        app_mention: ['app_mentions:read'],
        // Only those in direct messages with the app.
        message: ['im:history'],
        app_home_opened: [],
        app_uninstalled: [],
        team_access_revoked: [],
        tokens_revoked: [],
      })[event] ?? [`unknown event ${event}`],
  );
  return [...new Set([...forCalls, ...forEvents, 'commands'])].sort();
}

test("Slack's CLI reads the manifest for Socket Mode as JSON", () => {
  const { hooks } = z
    .object({ hooks: z.record(z.string(), z.string()) })
    .loose()
    .parse(JSON.parse(readFileSync('.slack/hooks.json', 'utf8')));
  const printed = execSync(hooks['get-manifest'] ?? '', { encoding: 'utf8' });
  expect(JSON.parse(printed)).toEqual(parse(readFileSync(manifestPath, 'utf8')));
});

describe('the manifest declares exactly what the app uses:', () => {
  test('commands', () => {
    expect(source).toContain('app.command(slashCommandName,');
    expect(manifest.features.slash_commands).toMatchObject([
      { command: slashCommandName, should_escape: true },
    ]);
  });

  test('events', () => {
    expect(manifest.settings.event_subscriptions.bot_events.toSorted()).toEqual(
      findRegistered('event')
        .map((event) => (event === 'message' ? 'message.im' : event))
        .sort(),
    );
  });

  test('shortcuts', () => {
    expect(manifest.features.shortcuts.map(({ callback_id }) => callback_id)).toEqual(
      findRegistered('shortcut'),
    );
  });

  test('scopes, which the install page lists too', () => {
    expect(manifest.oauth_config.scopes.bot.toSorted()).toEqual(findScopesInUse());
    expect(manifest.oauth_config.scopes.bot.toSorted()).toEqual(Object.keys(botScopes).sort());
    const optional = Object.entries<BotScope>(botScopes).filter(([, { without }]) => without !== undefined);
    expect(manifest.oauth_config.scopes.bot_optional.toSorted()).toEqual(
      optional.map(([scope]) => scope).sort(),
    );
  });
});

describe('the manifest for HTTP', () => {
  test('sends everything to one URL, and is otherwise the same', () => {
    const made = manifestSchema.parse(parse(toHttpManifest(text, 'https://rackhand.example.com/')));
    const address = 'https://rackhand.example.com/slack/events';
    expect(made.settings).toMatchObject({
      socket_mode_enabled: false,
      token_rotation_enabled: false,
      event_subscriptions: { request_url: address },
      interactivity: { request_url: address, message_menu_options_url: address },
    });
    expect(made.features.slash_commands.map(({ url }) => url)).toEqual([address]);
    expect(made.oauth_config).toEqual({
      ...manifest.oauth_config,
      redirect_urls: ['https://rackhand.example.com/slack/oauth_redirect'],
    });
    expect(made.settings.event_subscriptions.bot_events).toEqual(
      manifest.settings.event_subscriptions.bot_events,
    );
  });

  test.each(['http://rackhand.example.com', 'rackhand.example.com', ''])('is not made for "%s"', (url) => {
    expect(() => toHttpManifest(text, url)).toThrow('https://');
  });
});

describe.each([
  ['Socket Mode', text],
  ['HTTP', toHttpManifest(text, 'https://rackhand.example.com')],
])('the manifest for %s', (_, printed) => {
  test("keeps the rules of Slack's reference and of its published schema", async () => {
    const sandbox = await createSlackSandbox({ port: 0, manifest: parse(printed) });
    onTestFinished(() => sandbox.close());
    expect(sandbox.notes).toEqual([]);
  });

  test('is the content of the link that creates the app', () => {
    const link = new URL(createAppLink(printed));
    expect(link.origin + link.pathname).toBe('https://api.slack.com/apps');
    expect(link.searchParams.get('new_app')).toBe('1');
    expect(parse(link.searchParams.get('manifest_yaml') ?? '')).toEqual(parse(printed));
    // Browsers and proxies accept URLs up to about 8,000 characters.
    expect(link.href.length).toBeLessThan(4_000);
  });
});

test('the README links to the page that creates the app', () => {
  expect(readFileSync('README.md', 'utf8')).toContain(`(${createAppLink(text)})`);
});
