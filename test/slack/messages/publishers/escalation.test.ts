import { readFileSync } from 'node:fs';
import { webApi } from '@slack/bolt';
import { createSlackSandbox } from 'slack-sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createDataTables } from '../../../../src/slack/client/data-tables.ts';
import { createIncidentPublisher } from '../../../../src/slack/messages/publishers/incident-publisher.ts';
import { createSlackDriver, manifestPath } from '../../../stack.ts';

const manifest = z.looseObject({
  oauth_config: z.looseObject({ scopes: z.looseObject({ bot: z.array(z.string()) }) }),
});
const alert = { teamId: 'T0ACME', channel: 'C0OPS' };
const key = { watchId: 'watch-1', beganMs: 1, sinceMs: Date.now() - 60_000 };

/** Starts a workspace with an alert, of which the app can read the thread if it has the right. */
async function startWorkspace(mayReadHistory: boolean) {
  const declared = manifest.parse(parse(readFileSync(manifestPath, 'utf8')));
  if (mayReadHistory) declared.oauth_config.scopes.bot.push('channels:history');
  const sandbox = await createSlackSandbox({ port: 0, manifest: declared });
  onTestFinished(() => sandbox.close());
  const apiUrl = `${sandbox.url}/api/`;
  const client = new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl: apiUrl });
  const publisher = createIncidentPublisher({
    clients: Object.assign(async () => client, { apiUrl, ...createDataTables() }),
    reportPublisher: {} as never,
    resolveMentions: async (outcome) => outcome,
    findChannelSteps: async () => () => true,
  });
  const posted = await publisher.announce(alert, { outcome: { title: 'CPU over 90%' } });
  const ts = posted.kind === 'posted' ? posted.ts : '';
  const slack = createSlackDriver(sandbox.url);
  /** A person may post more than the one message a second that Slack accepts of an app. */
  const reply = (text: string) =>
    slack.act('message', { user: 'U0ALICE', channel: 'C0OPS', thread_ts: ts, text });
  return { publisher, ts, reply };
}

test('an escalation is found in its thread, after more replies than a page has', async () => {
  const { publisher, ts, reply } = await startWorkspace(true);
  for (let count = 0; count < 20; count += 1) await reply(`note ${count}`);
  expect(await publisher.findEscalation(alert, ts, key)).toEqual({ kind: 'notFound' });
  const message = { outcome: { title: 'Not acknowledged' }, ping: 'U0BOB' };
  const posted = await publisher.replyInThread(alert, ts, message, key);
  expect(await publisher.findEscalation(alert, ts, key)).toEqual({ ...posted, kind: 'found' });
  const later = { ...key, sinceMs: key.sinceMs + 1_000 };
  expect(await publisher.findEscalation(alert, ts, later)).toEqual({ kind: 'notFound' });
});

test('without the right to read the channel, or without the alert, an escalation is not searched for', async () => {
  const forbidden = await startWorkspace(false);
  expect(await forbidden.publisher.findEscalation(alert, forbidden.ts, key)).toEqual({ kind: 'unreadable' });
  const { publisher } = await startWorkspace(true);
  expect(await publisher.findEscalation(alert, '1.000001', key)).toEqual({ kind: 'unreadable' });
});
