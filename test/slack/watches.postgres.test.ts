import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createHostingSandbox } from '../../src/sandbox/hosting/sandbox.ts';
import { createSlackSandbox } from '../../src/sandbox/slack/sandbox.ts';
import { startApp } from '../../src/sandbox/stack.ts';
import { createManualClock } from '../reports/schedule/manual-clock.ts';
import { startPostgres } from '../services/postgres.ts';
import { manifestPath, serviceControl, slackControl } from '../stack.ts';
import { ask } from './history-acts.ts';
import { passMinutes, passUntil, toldIn } from './watches-acts.ts';

const windowMs = 250;

test('two processes make each round once, and one goes on without the other', async () => {
  const postgres = await startPostgres();
  const hosting = await createHostingSandbox({ port: 0, windowMs });
  const slackSandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
  const clock = createManualClock(Date.now());
  const options = {
    hosting: { port: 0, windowMs },
    slack: { port: 0, manifest: manifestPath },
    databaseUrl: postgres.url,
    encryptionKey: randomBytes(32),
    clock,
    log: pino({ level: 'silent' }),
  };
  const start = () => startApp(options, { hostingUrl: hosting.url, slackUrl: slackSandbox.url });
  const running = { slack: slackControl(slackSandbox.url), service: serviceControl(hosting.url) };
  for (let vps = 10_001; vps <= 10_012; vps += 1) await running.service.load(`VPS-${vps}`, { cpu: 0.2 });
  const first = await start();
  const second = await start();
  await ask(running, 'watch add VPS-10004 cpu > 90% for 2m', /^The watch .+ is set$/);
  await passMinutes(running, clock, 2);
  const liveCalls = async () =>
    (await running.service.calls()).filter(({ path }) => path.endsWith('/live')).length;
  const before = await liveCalls();
  await running.service.load('VPS-10004', { cpu: 0.95 });
  await passMinutes(running, clock, 6);
  // The round that has just begun may have made its call or not.
  expect((await liveCalls()) - before).toBeLessThanOrEqual(7);
  await passUntil(clock, async () => expect(await toldIn(running)).toHaveLength(1));

  await first.stop();
  await running.service.load('VPS-10004', { cpu: 0.1 });
  await passUntil(clock, async () =>
    expect((await toldIn(running)).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^✓ VPS-10004: CPU over 90 % ended/),
    ]),
  );
  await second.stop();
  await slackSandbox.close();
  await hosting.close();
  await postgres.stop();
}, 90_000);
