import { readFileSync } from 'node:fs';
import { webApi } from '@slack/bolt';
import { createSlackSandbox } from 'slack-sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { findOwnReply } from '../../../src/slack/messages/own-messages.ts';
import { createSlackDriver, manifestPath } from '../../stack.ts';

const manifest = z.looseObject({
  oauth_config: z.looseObject({ scopes: z.looseObject({ bot: z.array(z.string()) }) }),
});
const sinceMs = Date.now() - 60_000;
const metadata = { event_type: 'rackhand_message', event_payload: { key: 'escalation' } };

/** Starts a workspace with an alert, of which the app can read the thread if it has the right. */
async function startWorkspace(mayReadHistory: boolean) {
  const declared = manifest.parse(parse(readFileSync(manifestPath, 'utf8')));
  if (mayReadHistory) declared.oauth_config.scopes.bot.push('channels:history');
  const sandbox = await createSlackSandbox({ port: 0, manifest: declared });
  onTestFinished(() => sandbox.close());
  const apiUrl = `${sandbox.url}/api/`;
  const client = new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl: apiUrl });
  const { ts = '' } = await client.chat.postMessage({ channel: 'C0OPS', text: 'CPU over 90%' });
  const find = (inThread = ts, given = metadata) => findOwnReply(client, 'C0OPS', inThread, given, sinceMs);
  const slack = createSlackDriver(sandbox.url);
  /** A person may post more than the one message a second that Slack accepts of an app. */
  const reply = (text: string) =>
    slack.act('message', { user: 'U0ALICE', channel: 'C0OPS', thread_ts: ts, text });
  return { client, find, ts, reply };
}

test('a reply is found in its thread, after more replies than a page has', async () => {
  const { client, find, ts, reply } = await startWorkspace(true);
  for (let count = 0; count < 20; count += 1) await reply(`note ${count}`);
  expect(await find()).toEqual({ kind: 'notFound' });
  const message = { channel: 'C0OPS', thread_ts: ts, text: 'Not acknowledged', metadata };
  const posted = await client.chat.postMessage(message);
  expect(await find()).toEqual({ kind: 'found', ts: posted.ts });
  const other = { ...metadata, event_payload: { key: 'another' } };
  expect(await find(ts, other)).toEqual({ kind: 'notFound' });
});

test('without the right to read the channel, or without the thread, a reply is not searched for', async () => {
  const forbidden = await startWorkspace(false);
  expect(await forbidden.find()).toEqual({ kind: 'unreadable' });
  const { find } = await startWorkspace(true);
  expect(await find('1.000001')).toEqual({ kind: 'unreadable' });
});
