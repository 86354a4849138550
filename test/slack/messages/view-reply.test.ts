import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { webApi } from '@slack/bolt';
import { createSlackSandbox, type SlackSandbox } from 'slack-sandbox';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
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

test('a notice that Slack accepts late does not replace the result', async () => {
  const shown: string[] = [];
  const slackIsSlow = Promise.withResolvers<void>();
  const noticeArrived = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const update = decodeURIComponent(await text(request));
    const content = /Queued|VPS-10001/.exec(update)?.[0];
    if (content === 'Queued') {
      noticeArrived.resolve();
      await slackIsSlow.promise;
    }
    if (content) shown.push(content);
    response.end('{"ok":true}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`;
  const client = new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl: apiUrl });
  const clients = Object.assign(async () => client, { apiUrl, ...createDataTables() });
  const reply = createViewReply(clients, { actor, viewId: 'V1', title: 'Show a VPS' });
  const notice = reply.sendToActor(renderNotice('Queued'));
  await noticeArrived.promise;
  const result = reply.sendToActor(renderNotice('VPS-10001 is running'));
  // The result would have arrived by now.
  for (let count = 0; count < 20; count += 1) await fetch(apiUrl);
  slackIsSlow.resolve();
  await Promise.all([notice, result]);
  expect(shown).toEqual(['Queued', 'VPS-10001']);
});
