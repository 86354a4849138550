import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RackhandApp } from '../../src/app.ts';
import { createHostingSandbox, type HostingSandbox } from '../../src/sandbox/hosting/sandbox.ts';
import { createSlackSandbox, type SlackSandbox } from '../../src/sandbox/slack/sandbox.ts';
import { startApp } from '../../src/sandbox/stack.ts';
import { createManualClock, type ManualClock } from '../reports/schedule/manual-clock.ts';
import { manifestPath, serviceControl, slackControl, textOf } from '../stack.ts';
import { ask, buttonsOf, tableOf } from './history-acts.ts';
import { passMinutes, passUntil, toldIn } from './watches-acts.ts';

const windowMs = 250;

let directory: string;
let hosting: HostingSandbox;
let slackSandbox: SlackSandbox;
let clock: ManualClock;
let start: () => Promise<RackhandApp>;
let app: RackhandApp;
let running: { slack: ReturnType<typeof slackControl>; service: ReturnType<typeof serviceControl> };

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'rackhand-watches-'));
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
  running = { slack: slackControl(slackSandbox.url), service: serviceControl(hosting.url) };
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

const pass = (minutes: number) => passMinutes(running, clock, minutes);
const add = (words: string) => ask(running, `watch add ${words}`, /^The watch .+ is set$/);
const told = (matching: RegExp) => running.slack.message(matching, 'C0OPS', 'U0CAROL');

describe('watches', () => {
  test('go on after a restart where they were: no time is lost, and no message is repeated', async () => {
    await add('cpu > 90% for 4m');
    await running.service.load('VPS-10004', { cpu: 0.95 });
    await pass(3);
    await app.stop();
    app = await start();
    await pass(3);
    const message = await told(/^⚠ VPS-10004: CPU 95 % for [4-9] min/);
    await app.stop();
    app = await start();
    await running.service.load('VPS-10004', { cpu: 0.1 });
    await pass(3);
    const ended = await told(/^✓ VPS-10004: CPU over 90 % ended/);
    expect(ended.ts).toBe(message.ts);
    expect(await toldIn(running)).toHaveLength(1);
  }, 60_000);

  test('say that a message may be a repeat, where the app ended between its post and its record and may not look', async () => {
    await add('cpu > 90% for 0m');
    await running.service.load('VPS-10004', { cpu: 0.95 });
    await pass(2);
    await told(/^⚠ VPS-10004/);
    await app.stop();
    const database = new DatabaseSync(join(directory, 'rackhand.db'));
    database.exec(`update watch set message_ts = null, posting_at = ${clock.now()}`);
    database.close();
    app = await start();
    await passUntil(clock, async () => expect(await toldIn(running)).toHaveLength(2));
    const [first, second] = await toldIn(running);
    expect(first && textOf(first)).not.toContain('repeat');
    expect(second && textOf(second)).toContain('This may be a repeat');
  });

  test('rest where their channel is archived, and whoever made them is told once', async () => {
    await add('cpu > 90% for 0m --channel #general --name CPU');
    await add('memory > 1% for 0m --channel #general --name Memory');
    await add('cpu > 90% for 0m --name Here');
    const archive = { team: 'T0ACME', user: 'U0ALICE', channel: 'C0GENERAL', command: '/archive', text: '' };
    await running.slack.act('slash', archive);
    await running.service.load('VPS-10004', { cpu: 0.95 });
    await pass(2);
    const word = await running.slack.message(/^2 watches rest$/, 'U0ALICE', 'U0ALICE');
    expect(textOf(word)).toContain('archived');
    expect(textOf(word)).toContain('CPU and Memory');
    expect(buttonsOf(word)).toEqual(['Watches']);
    await told(/^⚠ VPS-10004/);
    const list = await ask(running, 'watch list', /3 watches/);
    expect(tableOf(list).map((row) => row[1])).toEqual(['rests', expect.stringMatching(/^⚠/), 'rests']);
  });

  test('rest where the key is lost, and close what they have open', async () => {
    await add('cpu > 90% for 0m --name CPU');
    await running.service.load('VPS-10004', { cpu: 0.95 });
    await pass(2);
    await told(/^⚠ VPS-10004/);
    await running.service.fault('status:401', { times: 100 });
    await passUntil(clock, async () => {
      const words = await running.slack.messages('U0ALICE', 'U0ALICE');
      expect(words.map(({ text }) => text)).toContain('The watch "CPU" rests');
    });
    const word = await running.slack.message(/^The watch "CPU" rests$/, 'U0ALICE', 'U0ALICE');
    expect(textOf(word)).toContain('API key');
    await told(/^CPU: it rests, for the API key .* not accepted; VPS-10004 had not come back$/);
    expect(await toldIn(running)).toEqual([]);
  });

  test('obey Slack where it wants a pause, and tell then', async () => {
    await add('cpu > 90% for 0m');
    await running.service.load('VPS-10004', { cpu: 0.95 });
    await running.slack.fault('ratelimit:chat.postMessage');
    await passUntil(clock, async () => expect(await toldIn(running)).toHaveLength(1));
    expect((await toldIn(running)).map(({ text }) => text)).toEqual([expect.stringMatching(/^⚠ VPS-10004/)]);
  });

  test('say nothing of a VPS that is muted, and tell of it when that ends', async () => {
    await add('cpu > 90% for 0m');
    await ask(running, 'mute VPS-10004 --for 30m', /VPS-10004 is muted/);
    await running.service.load('VPS-10004', { cpu: 0.95 });
    await pass(3);
    expect(await toldIn(running)).toEqual([]);
    await ask(running, 'unmute VPS-10004', /not muted any more/);
    await pass(2);
    const message = await told(/^⚠ VPS-10004: CPU 95 % for \d min/);
    expect(buttonsOf(message)).toContain('Mute for a Day');
    await running.slack.click(message, 'step:2');
    await passUntil(clock, async () =>
      expect((await toldIn(running)).map(({ text }) => text)).toEqual([
        expect.stringMatching(/^✓ VPS-10004: muted after/),
      ]),
    );
  });

  // Of the 50 four are stopped.
  test('tell of 50 VPS at once in one message', async () => {
    await app.stop();
    await hosting.close();
    hosting = await createHostingSandbox({ port: 0, windowMs, vpsCount: 60 });
    running = { ...running, service: serviceControl(hosting.url) };
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
    const message = await told(/^⚠ 46 VPS with CPU over 90 %: VPS-100\d\d 95 % for \d min, .+ and 43 more$/);
    expect(tableOf(message)).toHaveLength(20);
    expect(await toldIn(running)).toHaveLength(1);
  }, 60_000);
});
