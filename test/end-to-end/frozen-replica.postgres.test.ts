import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startReplicaServices } from '../services/replica-services.ts';
import { createHostingDriver, createSlackDriver } from '../stack.ts';
import { type CrashPoint, createSandboxSettings, startCrashableApp } from './crash-process.ts';

const marked = { sql: 'update "run" set "status"', firstValue: 'sent' };
const beforeMark: CrashPoint = { ...marked, when: 'before' };
const afterMark: CrashPoint = { ...marked, when: 'after' };

test('a replica that was frozen for longer than its lease sends nothing that another one has sent or settled', async () => {
  const { postgres, hosting, slackSandbox } = await startReplicaServices();
  const [slack, service] = [createSlackDriver(slackSandbox.url), createHostingDriver(hosting.url)];
  const database = new pg.Client(postgres.url);
  await database.connect();
  onTestFinished(() => database.end());
  const settings = createSandboxSettings({
    slackUrl: slackSandbox.url,
    hostingUrl: hosting.url,
    databaseUrl: postgres.url,
  });
  const start = async () => {
    const app = await startCrashableApp(settings);
    onTestFinished(app.kill);
    return app;
  };
  const endLeases = () => database.query('update run set lease_until = 0 where lease_until is not null');
  const findStatus = async (name: string) => {
    const { rows } = await database.query('select status from run where title like $1', [`%${name}%`]);
    return rows.map(({ status }) => status);
  };
  const findMessages = async (name: string) =>
    (await slack.messages()).map(({ text }) => text).filter((text) => text.includes(name));

  const frozen = await start();
  // The process has marked the run as sent, and is about to send the call.
  await frozen.freezesAt(afterMark, () => slack.slash('snapshot create VPS-10001 marked'));
  await endLeases();
  const second = await start();
  await slack.message('Take snapshot marked of web-01 (VPS-10001): ❓ Outcome unknown');
  await second.stop();
  expect(await service.changes()).toEqual([]);
  frozen.thaw();
  await slack.message('Take snapshot marked of web-01 (VPS-10001): ✅ Done');

  // Slack may have closed its connection in the meantime.
  await expect.poll(async () => (await slack.slash('help')).acknowledged, { interval: 500 }).toBe(true);

  // The same process continues, and is frozen right before it marks the next run.
  await frozen.freezesAt(beforeMark, () => slack.slash('snapshot create VPS-10002 queued'));
  await endLeases();
  const third = await start();
  await slack.message('Take snapshot queued of web-02 (VPS-10002): ✅ Done');
  await third.stop();
  frozen.thaw();
  await frozen.stop();

  expect((await service.changes()).map(({ path }) => path)).toEqual([
    '/v1/vps/VPS-10001/snapshots',
    '/v1/vps/VPS-10002/snapshots',
  ]);
  for (const name of ['marked', 'queued']) {
    expect(await findStatus(name)).toEqual(['done']);
    expect(await findMessages(name)).toHaveLength(1);
  }
}, 180_000);
