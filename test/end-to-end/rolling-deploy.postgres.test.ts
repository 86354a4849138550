import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import type { RackhandApp } from '../../src/app.ts';
import { openDatabase } from '../../src/db/engines/database.ts';
import { startApp } from '../../src/sandbox/stack.ts';
import { startReplicaServices } from '../services/replica-services.ts';
import { createHostingDriver, createSlackDriver, manifestPath } from '../stack.ts';

/** The quota allows fewer calls than commands arrive, so that calls are waiting at each stop. */
const windowMs = 4_000;
const commandsPerSecond = 20;
const users = ['U0ALICE', 'U0BOB', 'U0CAROL'];

/** Slack shows an error if a command isn't acknowledged by then. */
const ackLimitMs = 3_000;

test('while three replicas are replaced one by one, each command is acknowledged and answered, and each change is made once', async () => {
  const { postgres, redis, hosting, slackSandbox } = await startReplicaServices({ windowMs, vpsCount: 60 });
  const options = {
    hosting: { port: 0, windowMs },
    slack: { port: 0, manifest: manifestPath },
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    encryptionKey: randomBytes(32),
    log: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
  };
  const running = new Set<RackhandApp>();
  const start = async () => {
    const app = await startApp(options, { hostingUrl: hosting.url, slackUrl: slackSandbox.url });
    running.add(app);
    return app;
  };
  const stop = async (app: RackhandApp) => {
    running.delete(app);
    await app.stop();
  };
  onTestFinished(async () => void (await Promise.all([...running].map(stop))));
  const old = [await start(), await start(), await start()];
  const [slack, service] = [createSlackDriver(slackSandbox.url), createHostingDriver(hosting.url)];

  const sent: string[] = [];
  let isDeploying = true;
  const deploy = (async () => {
    for (const [index, app] of old.entries()) {
      await start();
      await expect.poll(() => sent.length).toBeGreaterThan(20 * (index + 1));
      await stop(app);
    }
    isDeploying = false;
  })();
  const { db, close } = await openDatabase(postgres.url, { log: options.log });
  onTestFinished(close);
  const handedOver = () => db.selectFrom('job').select('id').where('kind', '=', 'handed-over-run').execute();
  const seenHandedOver = new Set<string>();
  const acks: ReturnType<typeof slack.slash>[] = [];
  for (let index = 0; isDeploying; index += 1) {
    const isChange = index % 20 === 0;
    const vps = `VPS-${10001 + (index % 60)}`;
    const text = isChange ? `snapshot create ${vps} deploy-${index}` : `show ${vps}`;
    const user = isChange ? 'U0ALICE' : (users[index % users.length] ?? '');
    sent.push(text);
    acks.push(slack.slash(text, { user }));
    await delay(1_000 / commandsPerSecond);
    for (const { id } of await handedOver()) seenHandedOver.add(id);
  }
  await deploy;
  for (const ack of await Promise.all(acks)) {
    expect(ack.acknowledged).toBe(true);
    expect(ack.ack_ms).toBeLessThan(ackLimitMs);
  }

  const listRuns = () => db.selectFrom('run').select(['operation', 'status', 'outcome', 'owner']).execute();
  const commandRuns = async () =>
    (await listRuns()).filter(({ operation }) => ['show', 'snapshot create'].includes(operation));
  await expect
    .poll(async () => (await commandRuns()).filter(({ owner, status }) => status !== 'done' || owner).length)
    .toBe(0);
  expect(await commandRuns()).toHaveLength(sent.length);
  expect(await handedOver()).toEqual([]);
  expect(seenHandedOver.size).toBeGreaterThan(0);
  const changes = sent.filter((text) => text.startsWith('snapshot'));
  expect(await service.changes()).toHaveLength(changes.length);
  const seen = await Promise.all(users.map((user) => slack.messages('C0OPS', user)));
  const answers = new Map(seen.flat().map((message) => [message.ts, message.text]));
  expect([...answers.values()].filter((text) => text.includes('stopping'))).toEqual([]);
  expect([...answers.values()].filter((text) => !text.startsWith('⏳'))).toHaveLength(sent.length);
}, 180_000);
