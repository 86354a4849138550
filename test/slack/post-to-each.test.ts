import { webApi } from '@slack/bolt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSlackSandbox, type SlackSandbox } from '../../src/sandbox/slack/sandbox.ts';
import { postToEach } from '../../src/slack/post-to-each.ts';
import { renderNotice } from '../../src/slack/render/notice.ts';
import { manifestPath } from '../stack.ts';

let slack: SlackSandbox;
let client: webApi.WebClient;
beforeAll(async () => {
  slack = await createSlackSandbox({ port: 0, manifest: manifestPath });
  client = new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl: `${slack.url}/api/` });
});
afterAll(() => slack.close());

const post = (...people: readonly string[]) => postToEach(client, people, renderNotice('A word'));

/** To a bot Slack says that it cannot be written to; of nobody, that there is no such channel. */
const [bot, nobody] = ['U0APPACME', 'U0NOBODY'];

test('whoever cannot be written to does not keep the others from being told', async () => {
  expect(await post(bot, 'U0BOB', nobody)).toEqual([
    { channel: expect.stringMatching(/^D/), ts: expect.stringMatching(/^\d+\.\d+$/) },
  ]);
});

test('that nobody is there is no failure, and that nobody could be told is one', async () => {
  expect(await post(nobody)).toEqual([]);
  expect(await post()).toEqual([]);
  await expect(post(nobody, bot)).rejects.toThrow('cannot_dm_bot');
});
