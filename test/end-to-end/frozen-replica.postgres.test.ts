import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startReplicaServices } from '../services/replica-services.ts';
import { createHostingDriver, createSlackDriver } from '../stack.ts';
import { crashPoints, createSandboxSettings, startCrashableApp } from './crash-process.ts';

test('a replica that was frozen for longer than its lease sends nothing that another one has sent', async () => {
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
  const frozen = await start();
  // The process is about to mark the run as sent.
  await frozen.freezesAt({ ...crashPoints.sent, when: 'before' }, () =>
    slack.slash('snapshot create VPS-10002 queued'),
  );
  await database.query('update run set lease_until = 0 where lease_until is not null');
  const second = await start();
  await slack.message('Take snapshot queued of web-02 (VPS-10002): ✅ Done');
  frozen.thaw();

  // What the frozen process was about to post can appear when it thaws. The other process deletes it.
  const listTexts = async () => (await slack.messages()).map(({ text }) => text);
  await expect
    .poll(async () => (await listTexts()).filter((text) => text.includes('queued')))
    .toHaveLength(1);
  await frozen.stop();

  expect((await service.changes()).map(({ path }) => path)).toEqual(['/v1/vps/VPS-10002/snapshots']);
  const { rows } = await database.query("select status from run where title like '%queued%'");
  expect(rows).toEqual([{ status: 'done' }]);
  await second.stop();
}, 180_000);
