import { webApi } from '@slack/bolt';
import { createSlackSandbox } from 'slack-sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { createReportStore } from '../../../../src/monitoring/reports/report-store.ts';
import { createPauseNotifier } from '../../../../src/monitoring/shared/pauses/pause-notifier.ts';
import { createRunStore } from '../../../../src/runs/store/run-store.ts';
import { createDataTables } from '../../../../src/slack/client/data-tables.ts';
import { createSlackDirectory } from '../../../../src/slack/client/slack-directory.ts';
import { createReportPublisher } from '../../../../src/slack/messages/publishers/report-publisher.ts';
import { startSqlite, useTestDatabase } from '../../../db/test-database.ts';
import { createManualClock } from '../../../jobs/clocks/manual-clock.ts';
import { testVault } from '../../../runs/test-vault.ts';
import { manifestPath } from '../../../stack.ts';

const database = useTestDatabase(startSqlite);

test('if the app cannot message the creator of a paused report, it tells the admins once', async () => {
  const sandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
  onTestFinished(() => sandbox.close());
  const apiUrl = `${sandbox.url}/api/`;
  const client = new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl: apiUrl });
  const clients = Object.assign(async () => client, { apiUrl, ...createDataTables() });
  const chartImages = {} as never;
  const { sendDirectMessage } = createReportPublisher({
    clients,
    retryingClients: clients,
    chartImages,
    findChannelSteps: async () => () => true,
  });
  const told: string[] = [];
  const publisher = {
    async sendDirectMessage(...[person, outcome]: Parameters<typeof sendDirectMessage>) {
      const isTold = await sendDirectMessage(person, outcome);
      if (isTold) told.push(`${person.userId}: ${outcome.title}`);
      return isTold;
    },
  };
  const store = createReportStore(database.db);
  const clock = createManualClock(Date.now());
  const warnings: unknown[] = [];
  const notifier = createPauseNotifier({
    ...{ kind: 'report', store, publisher, clock },
    directory: createSlackDirectory(clients, { warn() {} }, clock.now),
    listAdmins: async () => ['U0ALICE', 'U0BOB'],
    runs: createRunStore(database.db, testVault),
    log: { warn: (...words: unknown[]) => void warnings.push(words) },
  });
  const timing = { kind: 'day', at: '09:00', zone: 'UTC', quiet: [] } as const;
  const plan = { name: 'morning', channel: 'C0OPS', timing, content: {} };
  const report = await store.add({ teamId: 'T0ACME', userId: 'U0GONE' }, plan, clock.now());
  await store.pause(report?.id ?? '', { reason: 'key', byUserId: null }, clock.now());
  await notifier.notify();
  expect(warnings).toEqual([]);
  const title = 'Report "morning" is paused';
  expect(told).toEqual([`U0ALICE: ${title}`, `U0BOB: ${title}`]);
  expect(await store.claimUnnotified(clock.now(), Number.POSITIVE_INFINITY)).toEqual([]);
  notifier.stop();
});
