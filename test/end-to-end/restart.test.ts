import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pino from 'pino';
import { createSlackSandbox, type SlackSandbox } from 'slack-sandbox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RackhandApp } from '../../src/app.ts';
import {
  createHostingSandbox,
  type HostingSandbox,
  type HostingSandboxOptions,
} from '../../src/sandbox/hosting/sandbox.ts';
import { startApp } from '../../src/sandbox/stack.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { findFreePort } from '../services/find-free-port.ts';
import { blocksText, createHostingDriver, createSlackDriver, manifestPath } from '../stack.ts';

const quota = 50;

let directory: string;
let hosting: HostingSandbox;
let slackSandbox: SlackSandbox;

beforeEach(async () => {
  directory = makeScratchDirectory('restart');
  slackSandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
});

afterEach(async () => {
  await slackSandbox.close();
  await hosting.close();
  rmSync(directory, { recursive: true });
});

/** Starts a hosting service, and returns what starts Rackhand with a window of the quota. */
async function createStart(windowMs: number, options: Partial<HostingSandboxOptions> = {}) {
  hosting = await createHostingSandbox({ port: 0, windowMs, vpsCount: 60, ...options });
  const settings = {
    hosting: { port: 0, windowMs },
    slack: { port: 0, manifest: manifestPath },
    databaseUrl: `sqlite:${join(directory, 'rackhand.db')}`,
    encryptionKey: randomBytes(32),
    log: pino({ level: 'silent' }),
  };
  return (appPort = 0): Promise<RackhandApp> =>
    startApp({ ...settings, appPort }, { hostingUrl: hosting.url, slackUrl: slackSandbox.url });
}

test("a process that was started before the old one stopped takes over how much of the key's quota is used", async () => {
  const windowMs = 5_000;
  const start = await createStart(windowMs);
  const [slack, service] = [createSlackDriver(slackSandbox.url), createHostingDriver(hosting.url)];
  const first = await start();
  await Promise.all(
    Array.from({ length: quota - 1 }, (_, index) =>
      slack.slash(`show VPS-${10001 + index}`, { user: index % 2 ? 'U0BOB' : 'U0CAROL' }),
    ),
  );
  await expect.poll(async () => (await service.calls()).length).toBe(quota);
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
  expect((calls[quota]?.at ?? 0) - (calls[0]?.at ?? 0)).toBeGreaterThanOrEqual(windowMs);
});

test('changes that wait for the quota during a stop are made once, by the next process', async () => {
  // Longer than the test takes. The service lets more through.
  const start = await createStart(300_000, { quota: 1_000 });
  const [slack, service] = [createSlackDriver(slackSandbox.url), createHostingDriver(hosting.url)];
  const first = await start();
  await slack.slash('settings --notify ended');
  await slack.message('Your settings were saved');
  await slack.slash('snapshot create VPS-10001 first');
  await slack.message(/Take snapshot first of web-01 .*(In progress|Done)/);
  await slack.slash('reboot VPS-10004');
  const card = await slack.message('Reboot worker-01 (VPS-10004)?');
  const used = (await service.calls()).length;
  const reads = Array.from({ length: quota - used }, (_, index) =>
    slack.slash(`show VPS-${10005 + index}`, { user: index % 2 ? 'U0BOB' : 'U0CAROL' }),
  );
  await Promise.all(reads);
  await expect.poll(async () => (await service.calls()).length).toBe(quota);
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

  endWindow();
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

/** Frees all slots of the quota, as time does. */
function endWindow(): void {
  const database = new DatabaseSync(join(directory, 'rackhand.db'));
  database.exec('delete from quota_slot');
  database.close();
}
