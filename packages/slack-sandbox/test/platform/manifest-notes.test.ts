import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { coveredEventNames, ignoredManifestKeys } from '../../src/platform/coverage.ts';
import { slackEventNames } from '../../src/platform/event-names.ts';
import { slackManifestKeys } from '../../src/platform/manifest-keys.ts';
import { slackMethodNames } from '../../src/platform/method-names.ts';
import { slackScopeNames } from '../../src/platform/scope-names.ts';
import { createSlackSandbox } from '../../src/slack-sandbox.ts';
import { webApiMethods } from '../../src/web-api/web-api-methods.ts';
import { fullManifest, startSandbox } from '../harness.ts';

const webApiFolder = dirname(createRequire(import.meta.url).resolve('@slack/bolt'));
const webApiFile = (path: string) =>
  readFileSync(join(dirname(createRequire(webApiFolder).resolve('@slack/web-api')), path), 'utf8');

async function notesOf(change: (manifest: typeof fullManifest & Record<string, unknown>) => void) {
  const manifest = structuredClone(fullManifest);
  change(manifest);
  const sandbox = await createSlackSandbox({ port: 0, manifest });
  await sandbox.close();
  return sandbox.notes;
}

test('an app that uses only what is covered gets no notes', async () => {
  expect(await notesOf(() => {})).toEqual([]);
});

test('misspelled keys, events and scopes are named, with the nearest name', async () => {
  const notes = await notesOf((manifest) => {
    Object.assign(manifest.settings, { socket_mode_enable: true });
    Object.assign(manifest.features, { zebra: [{ name: 1 }] });
    manifest.settings.event_subscriptions.bot_events.push('app_mentions');
    manifest.oauth_config.scopes.bot.push('chat:writ');
  });
  expect(notes).toEqual([
    "Slack's documents name no key features.zebra.",
    "Slack's documents name no key settings.socket_mode_enable. Did you mean settings.socket_mode_enabled?",
    "Slack's documents name no event app_mentions. Did you mean app_mention?",
    "Slack's documents name no scope chat:writ. Did you mean chat:write?",
  ]);
});

test('a manifest of the future is read, and what is unknown in it is named', async () => {
  const notes = await notesOf((manifest) => {
    Object.assign(manifest, { _metadata: { major_version: 7 }, telepathy: { is_enabled: true } });
  });
  expect(notes).toEqual([
    'The manifest has major_version 7. The sandbox knows versions up to 2, and reads it like those.',
    "Slack's documents name no key telepathy.",
  ]);
});

test('keys and events that the sandbox does not cover are named, but only if they are in use', async () => {
  const notes = await notesOf((manifest) => {
    Object.assign(manifest.settings, { is_mcp_enabled: true, token_rotation_enabled: true });
    manifest.settings.event_subscriptions.bot_events.push('grid_migration_started');
  });
  expect(notes).toEqual([
    'The sandbox ignores settings.is_mcp_enabled.',
    'The sandbox never sends the event grid_migration_started.',
  ]);
});

test('MCP servers without the scope that Slack names for them are noted', async () => {
  const servers = { mcp_servers: { notes: { url: 'https://notes.example/mcp' } } };
  expect(await notesOf((manifest) => void Object.assign(manifest, servers))).toEqual([
    "Slack's documents ask for the scope mcp:connect beside mcp_servers.",
  ]);
  const notes = await notesOf((manifest) => {
    Object.assign(manifest, servers);
    manifest.oauth_config.scopes.bot.push('mcp:connect');
  });
  expect(notes).toEqual([]);
});

test('a method that Slack has is told from one that nobody has', async () => {
  const sandbox = await startSandbox();
  const call = async (method: string) => {
    const answer = await sandbox
      .client()
      .apiCall(method)
      .catch((error) => error.data);
    return [answer.error, ...answer.response_metadata.messages];
  };
  expect(await call('admin.users.list')).toEqual([
    'unknown_method',
    '[ERROR] Slack has admin.users.list, this sandbox does not yet',
  ]);
  expect(await call('chat.postMesage')).toEqual([
    'unknown_method',
    "[ERROR] Slack's documents name no method chat.postMesage. Did you mean chat.postMessage?",
  ]);
});

test.each([
  [
    'files.upload',
    '[ERROR] Slack retired files.upload on 12 November 2025. Use files.uploadV2 of the SDK, which calls files.getUploadURLExternal and files.completeUploadExternal',
  ],
  ['channels.list', '[ERROR] Slack retired channels.list on 24 February 2021. Use conversations.list'],
  [
    'groups.createChild',
    '[ERROR] Slack retired groups.createChild on 24 February 2021. Use the methods of conversations',
  ],
])("a call of the retired method %s gets Slack's error, and what replaces it", async (method, message) => {
  const sandbox = await startSandbox();
  const answer = await sandbox
    .client()
    .apiCall(method)
    .catch((error) => error.data);
  expect(answer).toEqual({
    ok: false,
    error: 'method_deprecated',
    response_metadata: { messages: [message] },
  });
});

test("the lists contain what Slack's own library knows", () => {
  const methods = [...webApiFile('methods.js').matchAll(/'([a-z]\w*\.[\w.]+)'/g)].map(([, name]) => name);
  expect(methods.filter((name = '') => !slackMethodNames.has(name))).toEqual([]);
  const types = webApiFile('types/request/manifest.d.ts');
  const union = (name: string) => {
    const text = new RegExp(`type ${name} = ([^;]+);`).exec(types)?.[1] ?? '';
    return [...text.matchAll(/'([^']+)'/g)].map(([, value = '']) => value);
  };
  const notEvents = ['message', 'url_verification'];
  expect(union('ManifestEvent').length).toBeGreaterThan(50);
  expect(union('ManifestEvent').filter((name) => !slackEventNames.has(name))).toEqual(notEvents);
  expect(union('BotScope').filter((name) => !slackScopeNames.has(name))).toEqual([]);
});

test("every key of a manifest that Slack's own library knows is on the list", () => {
  const interfaces = new Map(
    [...webApiFile('types/request/manifest.d.ts').matchAll(/interface (\w+)[^{]*\{(.*?)\n\}/gs)].map(
      ([, name = '', fields = '']) => [name, fields] as const,
    ),
  );
  /** Lists keys as paths. Below a key whose keys the app chooses, such as `functions`, there are none. */
  const keysOf = (name: string, prefix: string): string[] =>
    [...(interfaces.get(name) ?? '').matchAll(/^ {4}(\w+)\??: (\w+)(\[\])?;/gm)].flatMap(
      ([, key, type = '', list = '']) => [`${prefix}${key}`, ...keysOf(type, `${prefix}${key}${list}.`)],
    );
  const keys = keysOf('Manifest', '');
  expect(keys).toContain('features.shortcuts[].callback_id');
  expect(keys.length).toBeGreaterThan(50);
  expect(keys.filter((key) => !slackManifestKeys.has(key))).toEqual([]);
});

test('everything that the sandbox covers is on the lists', () => {
  expect(coveredEventNames.filter((name) => !slackEventNames.has(name))).toEqual([]);
  expect(ignoredManifestKeys.filter((key) => !slackManifestKeys.has(key))).toEqual([]);
  expect([...webApiMethods.keys()].filter((name) => !slackMethodNames.has(name))).toEqual([]);
});

test("what Slack's published schema limits or requires is named, and nothing is refused", async () => {
  const notes = await notesOf((manifest) => {
    Object.assign(manifest.features, {
      assistant_view: { suggested_prompts: [{ title: 'Help' }] },
      unfurl_domains: ['Example.com'],
    });
    Object.assign(manifest.settings.event_subscriptions, {
      metadata_subscriptions: [{ event_type: 'deployed' }],
    });
    Object.assign(manifest.settings, { allowed_ip_address_ranges: ['10.0.0.0/8', 'everywhere'] });
    Object.assign(manifest, {
      outgoing_domains: Array.from({ length: 11 }, (_, index) => `a${index}.example`),
    });
  });
  const places = notes.flatMap((note) => /published schema differs at ([^:]+):/.exec(note)?.[1] ?? []);
  expect(places.toSorted()).toEqual([
    'features.assistant_view.assistant_description',
    'features.assistant_view.suggested_prompts[0].message',
    'features.unfurl_domains[0]',
    'outgoing_domains',
    'settings.allowed_ip_address_ranges[1]',
    'settings.event_subscriptions.metadata_subscriptions[0].app_id',
  ]);
});
