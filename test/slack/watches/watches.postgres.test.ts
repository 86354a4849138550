import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { startApp } from '../../../src/sandbox/stack.ts';
import { createManualClock } from '../../jobs/clocks/manual-clock.ts';
import { startReplicaServices } from '../../services/replica-services.ts';
import { createHostingDriver, createSlackDriver, manifestPath } from '../../stack.ts';
import { runCommand } from '../command-driver.ts';
import { advanceMinutes, advanceUntil, listIncidentMessages } from './watch-driver.ts';

const windowMs = 250;

test('two processes execute each cycle once, and one continues without the other', async () => {
  const { postgres, redis, hosting, slackSandbox } = await startReplicaServices({ windowMs });
  const clock = createManualClock(Date.now());
  const options = {
    hosting: { port: 0, windowMs },
    slack: { port: 0, manifest: manifestPath },
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    encryptionKey: randomBytes(32),
    clock,
    log: pino({ level: 'silent' }),
  };
  const start = () => startApp(options, { hostingUrl: hosting.url, slackUrl: slackSandbox.url });
  const running = { slack: createSlackDriver(slackSandbox.url), service: createHostingDriver(hosting.url) };
  for (let vps = 10_001; vps <= 10_012; vps += 1) await running.service.load(`VPS-${vps}`, { cpu: 0.2 });
  const first = await start();
  let isFirstStopped = false;
  onTestFinished(async () => {
    if (!isFirstStopped) await first.stop();
  });
  const second = await start();
  onTestFinished(second.stop);
  await runCommand(running, 'watch add VPS-10004 cpu > 90% for 2m', /^Watch .+ was added$/);
  await advanceMinutes(running, clock, 2);
  const liveCalls = async () =>
    (await running.service.calls()).filter(({ path }) => path.endsWith('/live')).length;
  const before = await liveCalls();
  const fromMs = clock.now();
  await running.service.load('VPS-10004', { cpu: 0.95 });
  await advanceMinutes(running, clock, 6);
  // On a busy machine, the clock advances a bit further. The cycle before could make its call late.
  const mostCycles = Math.floor((clock.now() - fromMs) / 60_000) + 1;
  expect((await liveCalls()) - before).toBeLessThanOrEqual(mostCycles + 1);
  await advanceUntil(clock, async () => expect(await listIncidentMessages(running)).toHaveLength(1));

  isFirstStopped = true;
  await first.stop();
  await running.service.load('VPS-10004', { cpu: 0.1 });
  await advanceUntil(clock, async () =>
    expect((await listIncidentMessages(running)).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^✓ worker-01 \(VPS-10004\): CPU over 90% ended/),
    ]),
  );
});
