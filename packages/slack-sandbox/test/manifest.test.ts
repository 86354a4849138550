import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readManifest } from '../src/manifest.ts';
import { createSlackSandbox } from '../src/slack-sandbox.ts';
import { fullManifest } from './harness.ts';

async function writeManifest(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slack-sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'manifest.yml');
  await writeFile(path, text);
  return path;
}

test('returns what the app is allowed to do', () => {
  const manifest = readManifest(fullManifest);
  expect(manifest).toMatchObject({
    name: 'Tester',
    botName: 'Tester',
    hasHomeTab: true,
    messagesTab: 'open',
  });
  expect(manifest.commands).toMatchObject([{ command: '/vps', should_escape: true }, { command: '/raw' }]);
  expect(manifest.scopes.has('chat:write')).toBe(true);
  expect(manifest.events.has('app_mention')).toBe(true);
});

test.each([
  ['YAML', 'display_information: { name: Small }'],
  ['JSON', '{ "display_information": { "name": "Small" } }'],
])('reads a file of %s', async (_format, text) => {
  expect(readManifest(await writeManifest(text))).toMatchObject({ name: 'Small' });
});

test("uses Slack's defaults: no Home tab, a read-only messages tab, no interactivity", () => {
  const manifest = readManifest({ display_information: { name: 'Small' } });
  expect(manifest).toMatchObject({ hasHomeTab: false, messagesTab: 'read-only', isInteractive: false });
});

test('accepts an empty long_description, with a note', () => {
  const { notes } = readManifest({ display_information: { name: 'Small', long_description: '' } });
  expect(notes).toEqual([expect.stringContaining('display_information.long_description')]);
  const short = { display_information: { name: 'Small', long_description: 'Short' } };
  expect(() => readManifest(short)).toThrow('long_description');
});

test('a file that is neither YAML nor JSON is called that', async () => {
  const torn = await writeManifest('display_information: { name: [\nfeatures');
  expect(() => readManifest(torn)).toThrow(/ is neither YAML nor JSON: /);
});

test('lists every problem at once, each with its place', () => {
  const broken = {
    display_information: { name: '' },
    features: { slash_commands: [{ command: 'vps', description: 'Runs' }] },
  };
  expect(() => readManifest(broken)).toThrow(
    /display_information\.name: .*\n- features\.slash_commands\[0\]\.command: /,
  );
});

test.each([
  [
    'a command without its scope',
    { features: { slash_commands: fullManifest.features.slash_commands } },
    'commands',
  ],
  [
    'an event without its scope',
    { settings: { event_subscriptions: { bot_events: ['app_mention'] } } },
    'app_mentions:read',
  ],
  ['scopes without a bot user', { oauth_config: { scopes: { bot: ['chat:write'] } } }, 'features.bot_user'],
])('rejects %s', (_what, part, named) => {
  expect(() => readManifest({ display_information: { name: 'Part' }, ...part })).toThrow(named);
});

test('names a file that cannot be read or parsed', async () => {
  expect(() => readManifest('no-such-manifest.yml')).toThrow('no-such-manifest.yml cannot be read');
  const path = await writeManifest('MIT License');
  expect(() => readManifest(path)).toThrow(`${path} is`);
});

test('a port in use is one clear error', async () => {
  const first = await createSlackSandbox({ port: 0, manifest: fullManifest });
  try {
    const second = createSlackSandbox({ port: first.port, manifest: fullManifest });
    await expect(second).rejects.toThrow(`Port ${first.port} of 127.0.0.1 is in use`);
  } finally {
    await first.close();
  }
});

test('an unknown kind of delivery is rejected', async () => {
  const started = createSlackSandbox({ port: 0, manifest: fullManifest, delivery: 'http:nowhere' });
  await expect(started).rejects.toThrow('The delivery is "socket" or "http:" and the app\'s URL');
});
