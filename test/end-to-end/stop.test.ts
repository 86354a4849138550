import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pino from 'pino';
import { createSlackSandbox } from 'slack-sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { createHostingSandbox } from '../../src/sandbox/hosting/sandbox.ts';
import { startApp } from '../../src/sandbox/stack.ts';
import { startFaultySlack } from '../faulty-slack.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { createHostingDriver, createSlackDriver, manifestPath } from '../stack.ts';

/** Longer than the test takes. */
const windowMs = 300_000;
const unansweredMs = 300_000;

test('a stop under load, while Slack limits replies, loses no acknowledged command', async () => {
  const directory = makeScratchDirectory('stop');
  const hosting = await createHostingSandbox({ port: 0, windowMs, vpsCount: 80, quota: 1_000 });
  onTestFinished(hosting.close);
  const slackSandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
  onTestFinished(slackSandbox.close);
  const faulty = await startFaultySlack(slackSandbox.url);
  onTestFinished(faulty.close);
  const file = join(directory, 'rackhand.db');
  const options = {
    hosting: { port: 0, windowMs },
    slack: { port: 0, manifest: manifestPath },
    databaseUrl: `sqlite:${file}`,
    encryptionKey: randomBytes(32),
    stopGraceSeconds: 2,
    log: pino({ level: 'silent' }),
  };
  const start = (slackUrl: string) => startApp(options, { hostingUrl: hosting.url, slackUrl });
  const [slack, service] = [createSlackDriver(slackSandbox.url), createHostingDriver(hosting.url)];

  const first = await start(faulty.url);
  await slack.slash('settings --notify ended');
  await slack.message('Your settings were saved');
  // This call is sent, and not answered before the stop.
  await service.fault(`slow:${unansweredMs}`, { method: 'POST', times: 1 });
  await slack.slash('snapshot create VPS-10001 unanswered');
  await expect.poll(async () => (await service.changes()).length).toBe(1);
  // Their names are known from now on, so that their commands don't wait for Slack's limit below.
  await slack.message(/Take snapshot unanswered of /);
  await slack.slash('help', { user: 'U0BOB' });
  await slack.message('What you can do', 'C0OPS', 'U0BOB');
  // Replies have to wait for Slack, for less than the 2 minutes after which a reply is given up.
  const limited = { kind: 'limited', retryAfterSeconds: 100 } as const;
  faulty.spoil('chat.postEphemeral', limited, 1_000);
  // Some of them wait for the quota.
  const reads = Array.from({ length: 60 }, (_, index) => ({
    vps: `VPS-${10002 + index}`,
    user: index % 2 ? ('U0BOB' as const) : ('U0ALICE' as const),
  }));
  for (const { vps, user } of reads)
    expect(await slack.slash(`show ${vps}`, { user })).toMatchObject({ acknowledged: true });
  await expect.poll(async () => (await service.calls()).length).toBeGreaterThan(45);
  await slack.slash('snapshot create VPS-10001 queued');
  await slack.message(/Take snapshot queued of /);
  // The check whether Carol is a member waits too.
  faulty.spoil('users.info', limited, 1_000);
  await slack.slash('show VPS-10080', { user: 'U0CAROL' });
  await first.stop();
  // Meanwhile, all slots of the quota become free.
  const database = new DatabaseSync(file);
  database.exec('delete from quota_slot');
  database.close();

  const second = await start(slackSandbox.url);
  onTestFinished(second.stop);
  await slack.message(/Take snapshot queued of .*(In progress|Done)/);
  await slack.message(/Take snapshot unanswered of .*Outcome unknown/);
  await slack.message('Rackhand restarted before it answered', 'U0CAROL', 'U0CAROL');
  // The person is told once how it ended, by the process that saw its end.
  await slack.message(/snapshot queued of .*Done/, 'U0ALICE');
  const told = (await slack.messages('U0ALICE')).map(({ text }) => text);
  expect(told.filter((text) => text.includes('queued'))).toHaveLength(1);
  expect((await slack.messages()).filter(({ text }) => text.includes('queued'))).toHaveLength(1);
  expect((await service.changes()).map(({ path }) => path)).toEqual([
    '/v1/vps/VPS-10001/snapshots',
    '/v1/vps/VPS-10001/snapshots',
  ]);
  /** How often a read was answered, or its person told to try again. */
  const countReplies = async () => {
    const seen = { U0ALICE: await slack.messages(), U0BOB: await slack.messages('C0OPS', 'U0BOB') };
    return reads.map(({ vps, user }) => seen[user].filter((one) => JSON.stringify(one).includes(vps)).length);
  };
  await expect.poll(async () => (await countReplies()).every((count) => count > 0)).toBe(true);
  expect(await countReplies()).toEqual(reads.map(() => 1));
}, 120_000);
