import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RackhandApp } from '../../../src/app.ts';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { type Sandboxes, startSandboxes } from '../../sandboxes.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { blocksText } from '../../stack.ts';
import { runCommand } from '../command-driver.ts';
import { advanceMinutes, advanceUntil, listAlertMessages } from './watch-driver.ts';

let running: Sandboxes;
let clock: ManualClock;
let start: () => Promise<RackhandApp>;
let app: RackhandApp;

beforeEach(async () => {
  running = await startSandboxes({ windowMs: 250 });
  clock = createManualClock(Date.now());
  const databaseUrl = `sqlite:${join(makeScratchDirectory('watches'), 'rackhand.db')}`;
  const options = { databaseUrl, encryptionKey: randomBytes(32), clock };
  for (let vps = 10_001; vps <= 10_012; vps += 1) await running.service.load(`VPS-${vps}`, { cpu: 0.2 });
  start = () => running.startApp(options);
  app = await start();
});
afterEach(async () => {
  await app.stop();
  await running.close();
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
    const message = await told(/^⚠️ worker-01 \(VPS-10004\): CPU 95% for [4-9] min/);
    await app.stop();
    app = await start();
    await running.service.load('VPS-10004', { cpu: 0.1 });
    await pass(3);
    const ended = await told(/^✅ worker-01 \(VPS-10004\): CPU over 90% ended/);
    expect(ended.ts).toBe(message.ts);
    expect(await listAlertMessages(running)).toHaveLength(1);
  });

  test('are paused if the key is lost, and close their open messages', async () => {
    await add('cpu > 90% for 0m --name CPU');
    await running.service.load('VPS-10004', { cpu: 0.95 });
    await pass(2);
    await told(/^⚠️ worker-01 \(VPS-10004\)/);
    await running.service.fault('status:401', { times: 100 });
    await advanceUntil(clock, async () => {
      const words = await running.slack.messages('U0ALICE', 'U0ALICE');
      expect(words.map(({ text }) => text)).toContain('Watch "CPU" is paused');
    });
    const word = await running.slack.message(/^Watch "CPU" is paused$/, 'U0ALICE', 'U0ALICE');
    expect(blocksText(word)).toContain('API key');
    await told(/^CPU: the watch was paused$/);
    expect(blocksText(await told(/^Watch "CPU" is paused$/))).toContain('API key');
    expect(await listAlertMessages(running)).toEqual([]);
  });
});
