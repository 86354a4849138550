import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { RackhandApp } from '../../src/app.ts';
import { openDatabase } from '../../src/db/engines/database.ts';
import { startApp } from '../../src/sandbox/stack.ts';
import { startReplicaServices } from '../services/replica-services.ts';
import { blocksText, createHostingDriver, createSlackDriver, manifestPath } from '../stack.ts';

/** Enough unanswered commands that calls wait for the quota at each stop, even on a slow machine. */
const windowMs = 4_000;
const maxUnanswered = 20;
const pauseMs = 10;
const users = ['U0ALICE', 'U0BOB', 'U0CAROL'];

/** Slack shows an error if a command isn't acknowledged by then. */
const ackLimitMs = 3_000;

/** Returns what a command and its answer are about: a snapshot, or a VPS. */
function toSubject(text: string): string {
  return /deploy-\d+/.exec(text)?.[0] ?? /VPS-\d+/.exec(text)?.[0] ?? text;
}

const trafficSchema = z.object({
  traffic: z.array(z.object({ direction: z.string(), refused: z.string().optional() })),
});

test('while three replicas are replaced one by one, each acknowledged command is answered or its person told to try again, and each change is made once', async () => {
  const { postgres, hosting, slackSandbox } = await startReplicaServices({ windowMs, vpsCount: 60 });
  const options = {
    hosting: { port: 0, windowMs },
    slack: { port: 0, manifest: manifestPath },
    databaseUrl: postgres.url,
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

  const { db, close } = await openDatabase(postgres.url, { log: options.log });
  onTestFinished(close);
  const sent: string[] = [];
  const countEnded = async () =>
    (await db.selectFrom('run').select('id').where('settled_at', 'is not', null).execute()).length;
  const countUnanswered = async () => sent.length - (await countEnded());
  let isDeploying = true;
  const deploy = (async () => {
    for (const [index, app] of old.entries()) {
      await start();
      await expect.poll(() => sent.length).toBeGreaterThan(20 * (index + 1));
      await expect.poll(countUnanswered).toBeGreaterThanOrEqual(maxUnanswered);
      await stop(app);
    }
  })().finally(() => {
    isDeploying = false;
  });
  const acks: ReturnType<typeof slack.slash>[] = [];
  for (let index = 0; isDeploying; index += 1) {
    const isChange = index % 20 === 0;
    const vps = `VPS-${10001 + (index % 60)}`;
    const text = isChange ? `snapshot create ${vps} deploy-${index}` : `show ${vps}`;
    const user = isChange ? 'U0ALICE' : (users[index % users.length] ?? '');
    sent.push(text);
    acks.push(slack.slash(text, { user }));
    const isFull = async () => isDeploying && (await countUnanswered()) >= maxUnanswered;
    await expect.poll(isFull, { interval: pauseMs }).toBe(false);
  }
  await deploy;
  const acknowledged: string[] = [];
  for (const [index, ack] of (await Promise.all(acks)).entries()) {
    expect(ack.ack_ms).toBeLessThan(ackLimitMs);
    if (ack.acknowledged) acknowledged.push(sent[index] ?? '');
    else expect(ack.error).toBe('dispatch_failed');
  }
  // A command is lost only if Slack sends it while a replica is closing the connection.
  const response = await fetch(`${slackSandbox.url}/sandbox/traffic`);
  for (const { direction, refused } of trafficSchema.parse(await response.json()).traffic) {
    if (direction === 'to_app' && refused) expect(refused).toBe('connection_closed');
  }
  expect(acknowledged.length).toBeGreaterThan(sent.length / 2);

  const listRuns = () => db.selectFrom('run').select(['operation', 'status', 'outcome', 'owner']).execute();
  const commandRuns = async () =>
    (await listRuns()).filter(({ operation }) => ['show', 'snapshot create'].includes(operation));
  const unfinishedRuns = async () =>
    (await commandRuns()).filter(({ owner, status }) => !['done', 'expired'].includes(status) || owner);
  await expect.poll(unfinishedRuns).toEqual([]);
  // A command that wasn't acknowledged has no run.
  expect(await commandRuns()).toHaveLength(acknowledged.length);
  const stopped = (await commandRuns()).filter(({ status }) => status === 'expired');
  expect(stopped.filter(({ outcome }) => !outcome?.includes('"label":"Try Again"'))).toEqual([]);
  const changes = (await commandRuns()).filter(
    ({ operation, status }) => operation === 'snapshot create' && status === 'done',
  );
  expect(await service.changes()).toHaveLength(changes.length);
  const seen = await Promise.all(users.map((user) => slack.messages('C0OPS', user)));
  const answers = new Map(seen.flat().map((one) => [one.ts, `${one.text} ${blocksText(one)}`]));
  // Slack itself tells the person that a command was not acknowledged.
  const answered = [...answers.values()]
    .filter((text) => !text.startsWith('⏳') && !text.includes('dispatch_failed'))
    .map(toSubject);
  const count = (all: readonly string[], subject: string) => all.filter((one) => one === subject).length;
  const asked = acknowledged.map(toSubject);
  for (const subject of new Set([...asked, ...answered])) {
    const [isAnswered, isAsked] = [count(answered, subject), count(asked, subject)];
    // On a busy machine, Slack can take the reply to a read without the app's knowing. It replies again.
    if (subject.startsWith('VPS')) expect(isAnswered, subject).toBeGreaterThanOrEqual(isAsked);
    else expect(isAnswered, subject).toBe(isAsked);
  }
}, 180_000);
