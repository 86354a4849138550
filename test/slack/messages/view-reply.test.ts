import { webApi } from '@slack/bolt';
import { createSlackSandbox, type SlackSandbox } from 'slack-sandbox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { renderNotice } from '../../../src/slack/blocks/notice.ts';
import { createDataTables } from '../../../src/slack/client/data-tables.ts';
import { createViewReply } from '../../../src/slack/messages/view-reply.ts';
import { createSlackDriver, manifestPath } from '../../stack.ts';

const actor = { teamId: 'T0ACME', userId: 'U0BOB' };

let slack: SlackSandbox;
beforeEach(async () => {
  slack = await createSlackSandbox({ port: 0, manifest: manifestPath });
});
afterEach(() => slack.close());

/** Replies in a modal that Bob has closed. */
function replyInClosedView() {
  const apiUrl = `${slack.url}/api/`;
  const client = new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl: apiUrl });
  return createViewReply(
    Object.assign(async () => client, { apiUrl, ...createDataTables() }),
    { actor, viewId: 'V0CLOSED', title: 'Show a VPS' },
  );
}

const directMessages = async () =>
  (await createSlackDriver(slack.url).messages('U0BOB', 'U0BOB')).map(({ text }) => text);

test.each(['sendToActor', 'sendToChannel', 'replace'] as const)(
  '%s in a closed modal sends a direct message',
  async (way) => {
    await replyInClosedView()[way](renderNotice('VPS-10001 is running'));
    expect(await directMessages()).toEqual(['VPS-10001 is running']);
  },
);

test('a post in DMs is not repeated when the modal is closed', async () => {
  await replyInClosedView().post(renderNotice('A picture'), 'actor');
  await replyInClosedView().remove();
  expect(await directMessages()).toEqual(['A picture']);
});
