import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { renderNotice } from '../../../src/slack/blocks/notice.ts';
import { findOwnReply } from '../../../src/slack/messages/own-messages.ts';
import { createViewReply } from '../../../src/slack/messages/view-reply.ts';
import { manifestWithHistory } from '../../stack.ts';
import { toSlackClients, useSlack } from '../use-slack.ts';

const actor = { teamId: 'T0ACME', userId: 'U0BOB' };

const slack = useSlack(manifestWithHistory());
beforeEach(() => slack.driver.act('reset', {}));

/** Replies in a modal that Bob has closed. */
const replyInClosedView = () =>
  createViewReply(slack.clients, { actor, viewId: 'V0CLOSED', title: 'Show a VPS' });

const directMessages = async () => (await slack.driver.messages('U0BOB', 'U0BOB')).map(({ text }) => text);

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
  const slackClients = toSlackClients(apiUrl);
  const clients = Object.assign(vi.fn(slackClients), slackClients);
  const reply = createViewReply(clients, { actor, viewId: 'V1', title: 'Show a VPS' });
  const notice = reply.sendToActor(renderNotice('Queued'));
  await noticeArrived.promise;
  const result = reply.sendToActor(renderNotice('VPS-10001 is running'));
  // The call for the result would have begun within this turn.
  await setImmediate();
  expect(clients).toHaveBeenCalledTimes(1);
  slackIsSlow.resolve();
  await Promise.all([notice, result]);
  expect(shown).toEqual(['Queued', 'VPS-10001']);
});

test('the own reply is found in a thread with more replies than a page has', async () => {
  const client = slack.connect();
  const { ts = '' } = await client.chat.postMessage({ channel: 'C0OPS', text: 'CPU over 90%' });
  const metadata = { event_type: 'rackhand_message', event_payload: { key: 'escalation' } };
  const find = (inThread = ts) => findOwnReply(client, 'C0OPS', inThread, metadata, Date.now() - 60_000);
  for (let count = 0; count < 20; count += 1)
    await slack.driver.act('message', { user: 'U0ALICE', channel: 'C0OPS', thread_ts: ts, text: `${count}` });
  expect(await find()).toEqual({ kind: 'notFound' });
  const message = { channel: 'C0OPS', thread_ts: ts, text: 'Not acknowledged', metadata };
  const posted = await client.chat.postMessage(message);
  expect(await find()).toEqual({ kind: 'found', ts: posted.ts });
  expect(await find('1.000001')).toEqual({ kind: 'unreadable' });
});
