import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { createSlackSandbox, type SlackSandbox } from 'slack-sandbox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RackhandApp } from '../../src/app.ts';
import { createHostingSandbox, type HostingSandbox } from '../../src/sandbox/hosting/sandbox.ts';
import { startApp } from '../../src/sandbox/stack.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { findFreePort } from '../services/find-free-port.ts';
import { blocksText, createHostingDriver, createSlackDriver, manifestPath } from '../stack.ts';

/** Long enough for a slow machine to use up the quota. */
const windowMs = 15_000;

let directory: string;
let hosting: HostingSandbox;
let slackSandbox: SlackSandbox;
let start: (appPort?: number) => Promise<RackhandApp>;

beforeEach(async () => {
  directory = makeScratchDirectory('restart');
  hosting = await createHostingSandbox({ port: 0, windowMs, vpsCount: 60 });
  slackSandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
  const options = {
    hosting: { port: 0, windowMs },
    slack: { port: 0, manifest: manifestPath },
    databaseUrl: `sqlite:${join(directory, 'rackhand.db')}`,
    encryptionKey: randomBytes(32),
    log: pino({ level: 'silent' }),
  };
  start = (appPort = 0) =>
    startApp({ ...options, appPort }, { hostingUrl: hosting.url, slackUrl: slackSandbox.url });
});

afterEach(async () => {
  await slackSandbox.close();
  await hosting.close();
  rmSync(directory, { recursive: true });
});

test("a process that was started before the old one stopped takes over how much of the key's quota is used", async () => {
  const [slack, service] = [createSlackDriver(slackSandbox.url), createHostingDriver(hosting.url)];
  const first = await start();
  await Promise.all(
    Array.from({ length: 49 }, (_, index) =>
      slack.slash(`show VPS-${10001 + index}`, { user: index % 2 ? 'U0BOB' : 'U0CAROL' }),
    ),
  );
  await expect.poll(async () => (await service.calls()).length).toBe(50);
  const port = await findFreePort();
  const starting = start(port);
  const isWaiting = () => fetch(`http://127.0.0.1:${port}/readyz`).then((response) => response.text());
  await expect.poll(() => isWaiting().catch(String)).toContain('waits for it to stop');
  await first.stop();

  const second = await starting;
  await slack.slash('status');
  await slack.message('Hosting sandbox answers');
  await second.stop();
  const calls = await service.calls();
  expect(calls.filter(({ status }) => status === 429)).toEqual([]);
  expect((calls[50]?.at ?? 0) - (calls[0]?.at ?? 0)).toBeGreaterThanOrEqual(windowMs);
});

test('changes that wait for the quota during a stop are made once, by the next process', async () => {
  const [slack, service] = [createSlackDriver(slackSandbox.url), createHostingDriver(hosting.url)];
  const first = await start();
  await slack.slash('settings --notify ended');
  await slack.message('Your settings were saved');
  await slack.slash('snapshot create VPS-10001 first');
  await slack.message(/Take snapshot first of web-01 .*(In progress|Done)/);
  await slack.slash('reboot VPS-10004');
  const card = await slack.message('Reboot worker-01 (VPS-10004)?');
  const used = (await service.calls()).length;
  const reads = Array.from({ length: 50 - used }, (_, index) =>
    slack.slash(`show VPS-${10005 + index}`, { user: index % 2 ? 'U0BOB' : 'U0CAROL' }),
  );
  await Promise.all(reads);
  await expect.poll(async () => (await service.calls()).length).toBe(50);
  await slack.slash('snapshot create VPS-10001 second');
  await slack.message(/second of web-01 \(VPS-10001\): ⏳ Queued/);
  await slack.click(card, 'confirm');
  await slack.slash('show VPS-10060', { user: 'U0BOB' });
  await first.stop();
  const tryAgain = async (user: string) =>
    blocksText(await slack.earlierMessage('Rackhand restarted', 'C0OPS', user));
  expect(await tryAgain('U0BOB')).toContain('VPS-10060');
  expect(await tryAgain('U0ALICE')).toContain('VPS-10004');
  expect(await service.changes()).toHaveLength(1);

  const second = await start();
  await slack.message(/Take snapshot second of web-01 .*(In progress|Done)/);
  // The person is told once how it ended, by the process that saw its end.
  await slack.message(/snapshot second of web-01 .*Done/, 'U0ALICE');
  await second.stop();
  expect(await service.changes()).toHaveLength(2);
  expect((await slack.messages()).filter(({ text }) => text.includes('second'))).toHaveLength(1);
  const told = (await slack.messages('U0ALICE')).map(({ text }) => text);
  expect(told.filter((text) => text.includes('second'))).toHaveLength(1);
  expect(new Set(told).size).toBe(told.length);
});
