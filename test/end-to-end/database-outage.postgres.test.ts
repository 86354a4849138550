import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FreezableProxy, startFreezableProxy } from '../services/freezable-proxy.ts';
import { createPostgresDatabase } from '../services/postgres.ts';
import { type RunningStack, startStack } from '../stack.ts';

/** Slack shows an error if a command isn't acknowledged by then. */
const ackLimitMs = 3_000;

let server: Awaited<ReturnType<typeof createPostgresDatabase>>;
let proxy: FreezableProxy;
let stack: RunningStack;

beforeAll(async () => {
  server = await createPostgresDatabase();
  proxy = await startFreezableProxy(server.url);
  stack = await startStack({ databaseUrl: proxy.url });
});

beforeEach(() => {
  proxy.freezeNewConnections(false);
  proxy.delayReplies(0);
});

afterAll(async () => {
  proxy.freezeNewConnections(false);
  proxy.delayReplies(0);
  await stack?.close();
  await proxy?.close();
  await server?.stop();
});

test('while PostgreSQL is silent, commands are acknowledged and their people told; then all is well', async () => {
  const { slack, service } = stack;
  await expect.poll(async () => (await fetch(`${stack.serverUrl}/readyz`)).status).toBe(200);
  // Nobody has asked anything yet, so the installation isn't known without the database.
  proxy.freezeOpenConnections();
  proxy.freezeNewConnections(true);
  const commands = ['show VPS-10002', 'reboot VPS-10003', 'help'];
  for (const ack of await Promise.all(commands.map((text) => slack.slash(text)))) {
    expect(ack).toMatchObject({ acknowledged: true, ack_ms: expect.toSatisfy((ms) => ms < ackLimitMs) });
  }
  await slack.mention('show VPS-10002');
  await slack.act('message', { user: 'U0ALICE', channel: 'U0ALICE', text: 'show VPS-10002' });
  const countRefusals = async (channel: string) =>
    (await slack.messages(channel)).filter(({ text }) => text.includes("Rackhand can't reach its database."))
      .length;
  await slack.untilSeen(async () =>
    expect(await Promise.all(['C0OPS', 'U0ALICE'].map(countRefusals))).toEqual([commands.length + 1, 1]),
  );
  expect(await service.changes()).toEqual([]);
  expect((await fetch(`${stack.serverUrl}/readyz`)).status).toBe(503);
  expect((await fetch(`${stack.serverUrl}/healthz`)).status).toBe(200);
  const metrics = await (await fetch(`${stack.serverUrl}/metrics`)).text();
  expect(metrics).toMatch(/^rackhand_database_errors_total [1-9]/m);
  expect(metrics).toMatch(/^rackhand_database_pool\{state="open"\} \d+$/m);

  proxy.freezeNewConnections(false);
  await expect.poll(async () => (await fetch(`${stack.serverUrl}/readyz`)).status).toBe(200);
  await slack.slash('show VPS-10004');
  await slack.message('VPS-10004');
});
