import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createSlackSandbox } from 'slack-sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/db/engines/database.ts';
import { reportContent } from '../../../src/monitoring/reports/planning/report-plan.ts';
import { createReportStore } from '../../../src/monitoring/reports/report.ts';
import { createHostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { type CrashPoint, createSandboxSettings, startCrashableApp } from '../../end-to-end/crash-process.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { blocksText, createSlackDriver, manifestWithHistory } from '../../stack.ts';

const finishing = { when: 'before', sql: 'insert into "report_baseline"' } as const;
const posted = { when: 'before', sql: 'update "message" set "shown_version"' } as const;
const found = { when: 'after', sql: 'update "message" set "posted_channel"' } as const;
/** Long enough for a process to start. */
const startMs = 4_000;

/** Adds a daily report that is due soon. */
async function addDueReport(databaseUrl: string): Promise<void> {
  const { db, close } = await openDatabase(databaseUrl);
  const timing = { kind: 'day', at: '09:00', zone: 'UTC', quiet: [] } as const;
  const content = reportContent.parse({ vps: 'VPS-10012', vpsCount: 1, settings: {} });
  const plan = { name: 'Morning', channel: 'C0OPS', timing, content };
  await createReportStore(db).add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, Date.now());
  await db
    .updateTable('plan')
    .set({ next_at: Date.now() + startMs })
    .execute();
  await close();
}

test('a report whose process is killed before and after it is posted is posted once, and gets its thread', async () => {
  const directory = makeScratchDirectory('report-crash');
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'rackhand.db');
  const databaseUrl = `sqlite:${file}`;
  const hosting = await createHostingSandbox({ port: 0 });
  onTestFinished(hosting.close);
  const slackSandbox = await createSlackSandbox({ port: 0, manifest: manifestWithHistory() });
  onTestFinished(slackSandbox.close);
  const slack = createSlackDriver(slackSandbox.url);
  const settings = createSandboxSettings({
    slackUrl: slackSandbox.url,
    hostingUrl: hosting.url,
    databaseUrl,
  });
  const runUntil = async (point: CrashPoint) => {
    const app = await startCrashableApp(settings, [point]);
    onTestFinished(app.kill);
    await app.gone;
  };
  const listPosts = async () =>
    (await slack.messages('C0OPS', 'U0CAROL')).filter((message) =>
      JSON.stringify(message).includes('Morning: Every day'),
    );
  await addDueReport(databaseUrl);
  await runUntil(finishing);
  expect(await listPosts()).toHaveLength(0);
  await runUntil(posted);
  expect(await listPosts()).toHaveLength(1);
  await runUntil(found);
  const app = await startCrashableApp(settings, []);
  onTestFinished(app.kill);
  const listReplies = async () => {
    const [post] = await listPosts();
    return (await slack.messages('C0OPS', 'U0CAROL')).filter(
      ({ thread_ts, ts }) => thread_ts === post?.ts && ts !== post?.ts,
    );
  };
  await expect.poll(listReplies, { timeout: 20_000 }).toHaveLength(1);
  const [post, ...more] = await listPosts();
  expect(more).toEqual([]);
  expect(post && blocksText(post)).not.toContain('repeat');
});
