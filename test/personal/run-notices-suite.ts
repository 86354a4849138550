import { webApi } from '@slack/bolt';
import pino from 'pino';
import { createSlackSandbox, type SlackSandbox } from 'slack-sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSystemClock } from '../../src/jobs/clock.ts';
import { createLocalDatabaseClock } from '../../src/jobs/database-clock.ts';
import { createJobs, type Jobs } from '../../src/jobs/jobs.ts';
import { hostingOperations } from '../../src/operations/hosting-operations.ts';
import { createRunNotices, type RunNoticePublisher } from '../../src/personal/run-notices.ts';
import { createSettingsStore } from '../../src/personal/settings-store.ts';
import { createRunStore } from '../../src/runs/store/run-store.ts';
import { createDataTables } from '../../src/slack/client/data-tables.ts';
import { createRunNoticePublisher } from '../../src/slack/messages/publishers/run-notice-publisher.ts';
import { createRunMessageRenderer } from '../../src/slack/messages/run-message-renderer.ts';
import { type StartDatabase, useTestDatabase } from '../db/test-database.ts';
import { createRun } from '../runs/create-run.ts';
import { noSecrets } from '../runs/no-secrets.ts';
import { testVault } from '../runs/test-vault.ts';
import { createSlackDriver, manifestPath } from '../stack.ts';

/** Tests the messages about the ends of runs with a database. */
export function describeRunNotices(name: string, startDatabase: StartDatabase): void {
  describe(`messages about the ends of runs, with ${name}`, () => {
    let sandbox: SlackSandbox;
    beforeAll(async () => {
      sandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
    });
    afterAll(() => sandbox.close());

    const database = useTestDatabase(startDatabase);

    let processes: Jobs[] = [];
    afterEach(async () => {
      for (const jobs of processes) await jobs.stop(1_000);
      processes = [];
    });

    const run = createRun({ origin: { channel: 'C0OPS' }, settledMs: Date.now() });
    const store = () => createSettingsStore(database.db);
    const runs = () => createRunStore(database.db, testVault);

    /** Starts a process. `send` replaces how it posts. */
    async function start(
      send: (original: RunNoticePublisher['send']) => RunNoticePublisher['send'] = (it) => it,
    ) {
      const clock = createSystemClock();
      const log = pino({ level: 'silent' });
      const databaseClock = createLocalDatabaseClock(clock);
      const jobs = createJobs({ db: database.db, databaseClock, hasReplicas: false, maxSleepMs: 5, log });
      const catalogue = hostingOperations();
      const client = new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl: `${sandbox.url}/api/` });
      const publisher = createRunNoticePublisher(
        Object.assign(async () => client, { apiUrl: `${sandbox.url}/api/`, ...createDataTables() }),
        createRunMessageRenderer(catalogue, { findDisplayName: async (_, id) => id }, noSecrets),
      );
      const notices = createRunNotices({
        jobs,
        runs: runs(),
        store: store(),
        catalogue: () => catalogue,
        publisher: { ...publisher, send: send(publisher.send) },
      });
      await jobs.start();
      processes.push(jobs);
      return { jobs, notices };
    }

    const listJobs = () =>
      database.db.selectFrom('job').select('id').where('kind', '=', 'run-notice').execute();
    const sent = async () => (await createSlackDriver(sandbox.url).messages('U0ALICE')).length;

    beforeEach(async () => {
      await runs().claim(run, 'key', { owner: 'first', untilMs: 0 });
      await database.db
        .updateTable('run')
        .set({
          settled_at: run.settledMs,
          outcome: JSON.stringify({ kind: 'outcome', outcome: { title: 'Rebooted' } }),
          progress: JSON.stringify({ isFinished: true, text: '' }),
        })
        .execute();
      await store().save(run.actor, { notify: 'ended', zone: undefined });
    });

    test('a message that was posted before a crash is not posted again', async () => {
      const before = await sent();
      const first = await start();
      await first.notices.plan(run);
      await expect.poll(listJobs).toEqual([]);
      expect(await sent()).toBe(before + 1);
      await first.jobs.stop(0);

      // The process ends right after a post, before it can record that.
      await database.db.updateTable('run').set({ notice_at: null }).execute();
      await database.db.updateTable('run').set({ notice_at: null }).execute();
      let isPosted = false;
      const second = await start((send) => async (one) => {
        await send(one);
        isPosted = true;
        return new Promise(() => {});
      });
      await second.notices.plan(run);
      await expect.poll(() => isPosted).toBe(true);
      expect(await listJobs()).toHaveLength(1);
      expect(await sent()).toBe(before + 2);
      await second.jobs.stop(0);

      await start();
      await expect.poll(listJobs).toEqual([]);
      expect(await sent()).toBe(before + 2);
    });

    test('a post that Slack refused for now is repeated', async () => {
      const before = await sent();
      let failures = 1;
      const { notices } = await start((send) => async (one) => {
        if (failures-- > 0) throw new Error('Slack is away');
        return send(one);
      });
      await notices.plan(run);
      await expect
        .poll(async () => (await database.db.selectFrom('job').select('attempts').execute())[0])
        .toEqual({
          attempts: 1,
        });
      await database.db.updateTable('job').set({ claimable_at: 0 }).execute();
      await expect.poll(listJobs).toEqual([]);
      expect(await sent()).toBe(before + 1);
    });
  });
}
