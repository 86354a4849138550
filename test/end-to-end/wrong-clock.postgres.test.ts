import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startApp } from '../../src/sandbox/stack.ts';
import { startReplicaServices } from '../services/replica-services.ts';
import { createSlackDriver, manifestPath } from '../stack.ts';

const readyzSchema = z.object({
  status: z.string(),
  parts: z.record(z.string(), z.object({ ok: z.boolean(), problem: z.string().optional() })),
});

const waiting = { timeout: 60_000 };

test('a replica whose clock is minutes off leaves the work to the others until it is right again', async () => {
  const { postgres, redis, hosting, slackSandbox } = await startReplicaServices();
  const lines: string[] = [];
  const options = {
    hosting: { port: 0 },
    slack: { port: 0, manifest: manifestPath },
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    encryptionKey: randomBytes(32),
    log: pino({ level: 'error' }, { write: (line) => lines.push(line) }),
  };
  const urls = { hostingUrl: hosting.url, slackUrl: slackSandbox.url };
  let skewMs = 200;
  const skewed = await startApp({ ...options, machineNow: () => Date.now() + skewMs }, urls);
  onTestFinished(skewed.stop);
  const right = await startApp(options, urls);
  onTestFinished(right.stop);
  const slack = createSlackDriver(slackSandbox.url);

  const readyz = async (url = skewed.url) => readyzSchema.parse(await (await fetch(`${url}/readyz`)).json());
  const countMetric = async (url: string, pattern: RegExp) =>
    Number(pattern.exec(await (await fetch(`${url}/metrics`)).text())?.[1] ?? 0);
  const connections = () => countMetric(skewed.url, /^rackhand_slack_connections (\d+)/m);
  const commands = (url: string) =>
    countMetric(url, /^rackhand_slack_ack_seconds_count\{kind="command"\} (\d+)/m);
  const logged = () => lines.filter((line) => line.includes("clock differs from the database's"));
  const ask = async (vps: string) => {
    expect(await slack.slash(`show ${vps}`)).toMatchObject({ acknowledged: true });
    await slack.message(vps);
  };

  // 200 ms: both replicas work.
  await expect.poll(async () => (await readyz()).status, waiting).toBe('ready');
  expect((await readyz()).parts).toMatchObject({ redis: { ok: true }, clock: { ok: true } });
  for (let index = 0; index < 8; index += 1) await ask(`VPS-${10001 + index}`);
  const answered = await commands(skewed.url);
  expect(answered).toBeGreaterThan(0);

  skewMs = 300_000;
  await expect.poll(connections, waiting).toBe(0);
  expect(await readyz()).toMatchObject({
    status: 'not ready',
    parts: {
      clock: {
        ok: false,
        problem: expect.stringMatching(/^the machine's clock is \d+ s ahead of the database's$/),
      },
    },
  });
  expect((await readyz(right.url)).status).toBe('ready');
  for (let index = 0; index < 8; index += 1) await ask(`VPS-${10011 + index}`);
  expect(await commands(skewed.url)).toBe(answered);
  expect(logged()).toHaveLength(1);

  skewMs = 0;
  await expect.poll(connections, waiting).toBe(2);
  await expect.poll(async () => (await readyz()).status, waiting).toBe('ready');
  expect(logged()).toHaveLength(1);

  const redisUp = () => countMetric(right.url, /^rackhand_redis_up (\d)/m);
  expect(await redisUp()).toBe(1);
  await redis.kill();
  await expect.poll(async () => (await readyz()).parts.redis?.problem, waiting).toBe("doesn't answer");
  expect((await readyz()).status).toBe('not ready');
  await expect
    .poll(async () => (await readyz()).parts.quota?.problem, waiting)
    .toBe("calls wait because Redis doesn't answer");
  // The other replica can notice it later.
  await expect.poll(redisUp, waiting).toBe(0);
}, 180_000);
