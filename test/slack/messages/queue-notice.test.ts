import { webApi } from '@slack/bolt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksText, grantAll, type RunningStack, startStack } from '../../stack.ts';

let running: RunningStack;

/** Long enough for a slow machine to click before the calls are sent. */
const windowMs = 15_000;
const quota = 50;

beforeAll(async () => {
  running = await startStack({ hosting: { windowMs }, grants: grantAll('operate', 'U0BOB') });
});
afterAll(() => running.close());

test('the end of a change is told even if its message was deleted meanwhile', async () => {
  const { slack, service } = running;
  await service.fault('slow:3000', { method: 'POST' });
  await slack.slash('snapshot create VPS-10002 kept');
  const { ts } = await slack.message(/Take snapshot kept of .*: (⏳|🔄)/u);
  const client = new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl: `${slack.url}/api/` });
  await client.chat.delete({ channel: 'C0OPS', ts });
  const ended = await slack.message(/Take snapshot kept of .*: (✅|🔄)/u);
  expect(ended.ts).not.toBe(ts);
});

test('a wait says what waits, and whoever waits can cancel it', async () => {
  const { slack, service } = running;
  await slack.slash('show web-01');
  await slack.message('web-01 (VPS-10001)');
  // Another program uses the key too.
  const headers = { authorization: 'Bearer sandbox-key-full' };
  await Promise.all(Array.from({ length: quota }, () => fetch(`${service.url}/v1/vps`, { headers })));
  await slack.slash('graph web-01', { user: 'U0BOB' });
  const ofBob = await slack.message(/^⏳ Queued: graph of web-01, about \d+ s\. /, 'C0OPS', 'U0BOB');
  expect(ofBob.text).toContain('The hosting service asked Rackhand to wait.');

  // The same read, which shares the call, and a change.
  await slack.slash('graph web-01');
  const ofAlice = await slack.message('⏳ Queued: graph of web-01');
  await slack.slash('snapshot create VPS-10001 first');
  const change = await slack.message(/Take snapshot first of .*VPS-10001\S*: ⏳ Queued, about/);
  expect(blocksText(change)).toContain('Cancel: Take snapshot first');

  await slack.click(ofAlice, 'Cancel');
  await slack.untilSeen(async () =>
    expect((await slack.messages()).map(({ ts }) => ts)).not.toContain(ofAlice.ts),
  );
  await slack.click(change, 'Cancel');
  await slack.message(/Take snapshot first of .*VPS-10001\S*: 🚫 Refused/);

  await slack.message('CPU', 'C0OPS', 'U0BOB');
  expect(await service.changes()).toHaveLength(1);
});
