import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { readManifest } from '../src/manifest.ts';
import { startSlack } from '../src/test-kit/index.ts';
import { startSocketApp } from './harness.ts';

test('an app without a manifest gets every event, command and shortcut, and may do everything', async () => {
  const slack = await startSlack({ manifest: undefined, timeoutMs: 10_000 });
  onTestFinished(() => slack.close());
  await startSocketApp(slack, (app) => {
    app.message('hello', async ({ say }) => void (await say('Hey there!')));
    app.command('/undeclared', async ({ ack }) => ack('Done'));
    app.shortcut('anything', async ({ ack, shortcut, client }) => {
      await ack();
      await client.reactions.add({ channel: 'C0GENERAL', name: 'eyes', timestamp: shortcut.action_ts });
    });
  });
  await slack.say('hello');
  await slack.waitForMessage('Hey there!');
  await slack.say('hello', { channel: 'alice' });
  await slack.waitForMessage('Hey there!', { channel: 'alice' });
  expect(
    (await slack.messages({ channel: 'alice' })).filter(({ text }) => text === 'Hey there!'),
  ).toHaveLength(1);
  expect(await slack.slash('/undeclared')).toMatchObject({ acknowledged: true });
  await slack.waitForMessage('Done');
  expect(await slack.shortcut('anything')).toMatchObject({ acknowledged: true });
  const { answer } = await slack.waitForCall('reactions.add');
  expect(answer.error).toBe('message_not_found');
});

test('the manifest in the README can be copied as it is', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const manifest: object = parse(/```yaml\n(display_information[^`]*)```/.exec(readme)?.[1] ?? '');
  expect(readManifest(manifest).notes).toEqual([]);
});
