import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import pino from 'pino';
import { createSlackSandbox } from 'slack-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHostingSandbox, type HostingSandbox } from '../../src/sandbox/hosting/sandbox.ts';
import { type RunningApp, startApp } from '../../src/sandbox/stack.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { type PostgresServer, startPostgres } from '../services/postgres.ts';
import { createHostingDriver, createSlackDriver, manifestPath } from '../stack.ts';

let postgres: PostgresServer;
let hosting: HostingSandbox;
let slackSandbox: Awaited<ReturnType<typeof createSlackSandbox>>;
let app: RunningApp;
let spoolDir: string;
const encryptionKey = randomBytes(32);

async function start() {
  app = await startApp(
    {
      hosting: { port: 0 },
      slack: { port: 0, manifest: manifestPath },
      databaseUrl: postgres.url,
      encryptionKey,
      spoolDir,
      stopGraceSeconds: 1,
      log: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
    },
    { hostingUrl: hosting.url, slackUrl: slackSandbox.url },
  );
}

beforeAll(async () => {
  postgres = await startPostgres();
  hosting = await createHostingSandbox({ port: 0 });
  slackSandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
  spoolDir = await makeScratchDirectory('spool');
  await start();
});

afterAll(async () => {
  await app?.stop();
  await slackSandbox?.close();
  await hosting?.close();
  await postgres?.stop();
});

/** Requests a snapshot, and stops PostgreSQL while its call is under way. */
async function losePostgresDuringCall(vps: string) {
  const [slack, service] = [createSlackDriver(slackSandbox.url), createHostingDriver(hosting.url)];
  const before = (await service.changes()).length;
  // Longer than PostgreSQL takes to stop on a slow machine.
  await service.fault('slow:6000', { method: 'POST' });
  await slack.slash(`snapshot create ${vps} kept`);
  await expect.poll(async () => (await service.changes()).length).toBe(before + 1);
  await postgres.halt();
  // If the answer can't be recorded for a while, it is written to a file.
  await expect.poll(() => readdir(spoolDir)).toHaveLength(1);
}

async function expectDone(vps: string, changes: number) {
  const [slack, service] = [createSlackDriver(slackSandbox.url), createHostingDriver(hosting.url)];
  await expect
    .poll(async () => (await slack.messages()).map(({ text }) => text).join('\n'))
    .toMatch(new RegExp(`napshot.*${vps}.*(Done|done|✅)`));
  await expect.poll(() => readdir(spoolDir)).toEqual([]);
  expect(await service.changes()).toHaveLength(changes);
}

test('a success that arrives while PostgreSQL is away outlives the process', async () => {
  await losePostgresDuringCall('VPS-10002');
  await app.stop();
  await postgres.resume();
  await start();
  await expectDone('VPS-10002', 1);
});
