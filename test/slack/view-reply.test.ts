import { webApi } from '@slack/bolt';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSlackSandbox, type SlackSandbox } from '../../src/sandbox/slack/sandbox.ts';
import { renderNotice } from '../../src/slack/render/notice.ts';
import { createViewReply } from '../../src/slack/view-reply.ts';
import { manifestPath, slackControl } from '../stack.ts';

const asker = { teamId: 'T0ACME', userId: 'U0BOB' };

let slack: SlackSandbox;
beforeEach(async () => {
  slack = await createSlackSandbox({ port: 0, manifest: manifestPath });
});
afterEach(() => slack.close());

/** Speaks in a view that Bob has closed. */
function replyInClosedView() {
  const client = new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl: `${slack.url}/api/` });
  return createViewReply(async () => client, { asker, viewId: 'V0CLOSED', title: 'Show a VPS' });
}

const directMessages = async () =>
  (await slackControl(slack.url).messages('U0BOB', 'U0BOB')).map(({ text }) => text);

test.each(['tell', 'tellAll', 'replace'] as const)(
  'what was to be said by %s in a view that is closed comes as a direct message',
  async (way) => {
    await replyInClosedView()[way](renderNotice('VPS-10001 is running'));
    expect(await directMessages()).toEqual(['VPS-10001 is running']);
  },
);

test('what is in the direct messages anyway is not said twice', async () => {
  await replyInClosedView().post(renderNotice('A picture'), 'asker');
  await replyInClosedView().remove();
  expect(await directMessages()).toEqual(['A picture']);
});
