import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pino from 'pino';
import { createSlackSandbox, type SlackSandbox } from 'slack-sandbox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RackhandApp } from '../../../src/app.ts';
import { createHostingSandbox, type HostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { startApp } from '../../../src/sandbox/stack.ts';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { blocksText, createHostingDriver, createSlackDriver, manifestPath } from '../../stack.ts';
import { readButtonLabels, readTable, runCommand } from '../command-driver.ts';
import { advanceMinutes, advanceUntil, listIncidentMessages } from './watch-driver.ts';

const windowMs = 250;

let directory: string;
let hosting: HostingSandbox;
let slackSandbox: SlackSandbox;
let clock: ManualClock;
let start: () => Promise<RackhandApp>;
let app: RackhandApp;
let running: { slack: ReturnType<typeof createSlackDriver>; service: ReturnType<typeof createHostingDriver> };

beforeEach(async () => {
  directory = makeScratchDirectory('watches');
  hosting = await createHostingSandbox({ port: 0, windowMs });
  slackSandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
  clock = createManualClock(Date.now());
  const options = {
    hosting: { port: 0, windowMs },
    slack: { port: 0, manifest: manifestPath },
    databaseUrl: `sqlite:${join(directory, 'rackhand.db')}`,
    encryptionKey: randomBytes(32),
    clock,
    log: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
  };
  running = { slack: createSlackDriver(slackSandbox.url), service: createHostingDriver(hosting.url) };
  for (let vps = 10_001; vps <= 10_012; vps += 1) await running.service.load(`VPS-${vps}`, { cpu: 0.2 });
  start = () => startApp(options, { hostingUrl: hosting.url, slackUrl: slackSandbox.url });
  app = await start();
});
afterEach(async () => {
  await app.stop();
  await slackSandbox.close();
  await hosting.close();
  rmSync(directory, { recursive: true });
});

const pass = (minutes: number) => advanceMinutes(running, clock, minutes);
const add = (words: string) => runCommand(running, `watch add ${words}`, /^Watch .+ was added$/);
const told = (matching: RegExp) => running.slack.message(matching, 'C0OPS', 'U0CAROL');

describe('watches', () => {
  test('continue after a restart: no time is lost, and no message is repeated', async () => {
    await add('cpu > 90% for 4m');
    await running.service.load('VPS-10004', { cpu: 0.95 });
    await pass(3);
    await app.stop();
    app = await start();
    await pass(3);
    const message = await told(/^⚠ worker-01 \(VPS-10004\): CPU 95% for [4-9] min/);
    await app.stop();
    app = await start();
    await running.service.load('VPS-10004', { cpu: 0.1 });
    await pass(3);
    const ended = await told(/^✓ worker-01 \(VPS-10004\): CPU over 90% ended/);
    expect(ended.ts).toBe(message.ts);
    expect(await listIncidentMessages(running)).toHaveLength(1);
  });

  test("say that a message could be a repeat, if the app ended between posting and storing and can't search", async () => {
    await add('cpu > 90% for 0m');
    await running.service.load('VPS-10004', { cpu: 0.95 });
    await pass(2);
    await told(/^⚠ worker-01 \(VPS-10004\)/);
    await app.stop();
    const database = new DatabaseSync(join(directory, 'rackhand.db'));
    database.exec(`update watch set message_ts = null, posting_at = ${clock.now()}`);
    database.close();
    app = await start();
    await advanceUntil(clock, async () => expect(await listIncidentMessages(running)).toHaveLength(2));
    const [first, second] = await listIncidentMessages(running);
    expect(first && blocksText(first)).not.toContain('repeat');
    expect(second && blocksText(second)).toContain('This may be a repeat');
  });

  test('escalate an alert once across restarts, and not again if that was interrupted', async () => {
    await add('cpu > 90% for 0m --name Late --escalate 5m @bob');
    await running.service.load('VPS-10004', { cpu: 0.95 });
    await pass(2);
    const { ts } = await told(/^⚠ worker-01 \(VPS-10004\)/);
    const listReplies = async () =>
      (await running.slack.messages('C0OPS', 'U0CAROL')).filter(
        (one) => one.thread_ts === ts && one.ts !== ts,
      );
    await app.stop();
    app = await start();
    await advanceUntil(clock, async () => expect(await listReplies()).toHaveLength(1));
    expect((await listReplies())[0]?.pings).toEqual(['U0BOB']);

    // This is what a process leaves behind that ends while it sends.
    await app.stop();
    const database = new DatabaseSync(join(directory, 'rackhand.db'));
    database.exec(`update watch set incident = json_set(incident, '$.response.escalation', 'sending')`);
    database.exec(`insert into job (kind, id, team_id, user_id, payload, due_at, claimable_at, attempts, revision)
      select 'alert-escalation', id, team_id, '', json_object('beganMs', json_extract(incident, '$.beganMs')), 0, 0, 0, 0
      from watch`);
    database.close();
    app = await start();
    await advanceUntil(clock, async () => {
      const [message] = await listIncidentMessages(running);
      expect(message && blocksText(message)).toContain('Possibly escalated to');
    });
    expect(await listReplies()).toHaveLength(1);
  }, 60_000);

  test('are paused if their channel is archived, and their owner is notified once', async () => {
    await add('cpu > 90% for 0m --channel #general --name CPU');
    await add('cpu > 50% for 0m --channel #general --name Half');
    await add('cpu > 90% for 0m --name Here');
    // The first evaluation, which follows the first watch at once, is over.
    await pass(1);
    const archive = { team: 'T0ACME', user: 'U0ALICE', channel: 'C0GENERAL', command: '/archive', text: '' };
    await running.slack.act('slash', archive);
    await running.service.load('VPS-10004', { cpu: 0.95 });
    await pass(2);
    const word = await running.slack.message(/^2 watches are paused$/, 'U0ALICE', 'U0ALICE');
    expect(blocksText(word)).toContain('archived');
    expect(blocksText(word)).toContain('CPU and Half');
    expect(readButtonLabels(word)).toEqual(['Watches']);
    await told(/^⚠ worker-01 \(VPS-10004\)/);
    const list = await runCommand(running, 'watch list', /3 watches/);
    expect(readTable(list).map((row) => row[1])).toEqual(['paused', 'paused', expect.stringMatching(/^⚠/)]);
  });

  test('are paused if the key is lost, and close their open messages', async () => {
    await add('cpu > 90% for 0m --name CPU');
    await running.service.load('VPS-10004', { cpu: 0.95 });
    await pass(2);
    await told(/^⚠ worker-01 \(VPS-10004\)/);
    await running.service.fault('status:401', { times: 100 });
    await advanceUntil(clock, async () => {
      const words = await running.slack.messages('U0ALICE', 'U0ALICE');
      expect(words.map(({ text }) => text)).toContain('Watch "CPU" is paused');
    });
    const word = await running.slack.message(/^Watch "CPU" is paused$/, 'U0ALICE', 'U0ALICE');
    expect(blocksText(word)).toContain('API key');
    await told(
      /^CPU: the watch was paused: the API key was rejected; worker-01 \(VPS-10004\) had not recovered$/,
    );
    expect(await listIncidentMessages(running)).toEqual([]);
  });

  test('wait as long as Slack asks, and alert then', async () => {
    await add('cpu > 90% for 0m');
    await running.service.load('VPS-10004', { cpu: 0.95 });
    await running.slack.fault('ratelimit:chat.postMessage');
    await advanceUntil(clock, async () => expect(await listIncidentMessages(running)).toHaveLength(1));
    expect((await listIncidentMessages(running)).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^⚠ worker-01 \(VPS-10004\)/),
    ]);
  });

  test('say nothing about a muted VPS, and alert when that ends', async () => {
    await add('cpu > 90% for 0m');
    await runCommand(running, 'mute VPS-10004 --for 30m', /worker-01 \(VPS-10004\) is muted/);
    await running.service.load('VPS-10004', { cpu: 0.95 });
    await pass(3);
    expect(await listIncidentMessages(running)).toEqual([]);
    await runCommand(running, 'unmute VPS-10004', /no longer muted/);
    await pass(2);
    const message = await told(/^⚠ worker-01 \(VPS-10004\): CPU 95% for \d min/);
    await running.slack.click(message, 'Mute for a Day');
    await advanceUntil(clock, async () =>
      expect((await listIncidentMessages(running)).map(({ text }) => text)).toEqual([
        expect.stringMatching(/^✓ worker-01 \(VPS-10004\): muted after/),
      ]),
    );
  });

  // Four of the 50 are stopped.
  test('list 50 VPS in one message', async () => {
    await app.stop();
    await hosting.close();
    hosting = await createHostingSandbox({ port: 0, windowMs, vpsCount: 60 });
    running = { ...running, service: createHostingDriver(hosting.url) };
    for (let vps = 10_001; vps <= 10_060; vps += 1)
      await running.service.load(`VPS-${vps}`, { cpu: vps <= 10_050 ? 0.95 : 0.2 });
    app = await startApp(
      {
        hosting: { port: 0, windowMs },
        slack: { port: 0, manifest: manifestPath },
        databaseUrl: 'sqlite::memory:',
        clock,
        log: pino({ level: 'silent' }),
      },
      { hostingUrl: hosting.url, slackUrl: slackSandbox.url },
    );
    await add('cpu > 90% for 1m');
    await pass(4);
    const message = await told(
      /^⚠ 46 VPS with CPU over 90%: .*\(VPS-100\d\d\) 95% for \d min, .+ and 43 more$/,
    );
    expect(readTable(message)).toHaveLength(20);
    expect(await listIncidentMessages(running)).toHaveLength(1);
  });
});
