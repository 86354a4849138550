import { webApi } from '@slack/bolt';
import { createSlackSandbox, type SlackSandbox } from 'slack-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderNotice } from '../../../src/slack/blocks/notice.ts';
import { postToRecipients } from '../../../src/slack/messages/post-to-recipients.ts';
import { manifestPath } from '../../stack.ts';

let slack: SlackSandbox;
let client: webApi.WebClient;
beforeAll(async () => {
  slack = await createSlackSandbox({ port: 0, manifest: manifestPath });
  client = new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl: `${slack.url}/api/` });
});
afterAll(() => slack.close());

const post = (...people: readonly string[]) => postToRecipients(client, people, renderNotice('A word'));

/** Slack rejects messages to a bot, and does not find the channel of an unknown user. */
const [bot, nobody] = ['U0APPACME', 'U0NOBODY'];

test('an unreachable recipient does not stop the message to the others', async () => {
  expect(await post(bot, 'U0BOB', nobody)).toEqual([
    { channel: expect.stringMatching(/^D/), ts: expect.stringMatching(/^\d+\.\d+$/) },
  ]);
});

test('no recipient at all is no error, but failing to reach any is', async () => {
  expect(await post(nobody)).toEqual([]);
  expect(await post()).toEqual([]);
  await expect(post(nobody, bot)).rejects.toThrow('cannot_dm_bot');
});
