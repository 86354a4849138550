import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { reportContent } from '../../src/reports/content.ts';
import type { Report } from '../../src/reports/schedule/report.ts';
import { createReportStore } from '../../src/reports/schedule/report-store.ts';
import { createHostingSandbox } from '../../src/sandbox/hosting/sandbox.ts';
import { createSlackSandbox } from '../../src/sandbox/slack/sandbox.ts';
import type { Database } from '../../src/storage/database.ts';
import { type CrashingApp, type CrashPoint, startCrashingApp } from '../crash-process.ts';
import { manifestPath, type SlackMessage, serviceControl, slackControl } from '../stack.ts';

const manifest = z.looseObject({
  oauth_config: z.looseObject({ scopes: z.looseObject({ bot: z.array(z.string()) }) }),
});

const traffic = z.object({ traffic: z.array(z.object({ kind: z.string() })) });

/** The app's manifest, with the scope for the history of channels where a team has added that. */
function manifestWith(mayReadHistory: boolean): object {
  const declared = manifest.parse(parse(readFileSync(manifestPath, 'utf8')));
  if (mayReadHistory) declared.oauth_config.scopes.bot.push('channels:history');
  return declared;
}

interface StageParts {
  readonly databaseUrl: string;
  readonly mayReadHistory: boolean;
  readonly vpsCount?: number;
}

export type CrashStage = Awaited<ReturnType<typeof createCrashStage>>;

/** Starts a hosting service and a Slack workspace, and gives what starts the app between them as processes of their own. */
export async function createCrashStage({ databaseUrl, mayReadHistory, vpsCount = 12 }: StageParts) {
  const hosting = await createHostingSandbox({ port: 0, vpsCount });
  const slackSandbox = await createSlackSandbox({ port: 0, manifest: manifestWith(mayReadHistory) });
  const [slack, service] = [slackControl(slackSandbox.url), serviceControl(hosting.url)];
  // What the service allows is no matter here: the quota is the app's affair.
  await service.addKey('a-generous-key', { quota: 1000 });
  const apps: CrashingApp[] = [];
  const settings = {
    SLACK_BOT_TOKEN: 'xoxb-sandbox-acme',
    SLACK_APP_TOKEN: 'xapp-sandbox',
    SLACK_API_URL: `${slackSandbox.url}/api/`,
    HOSTING_API_URL: hosting.url,
    HOSTING_API_KEY: 'a-generous-key',
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    DATABASE_URL: databaseUrl,
    PORT: '0',
  };

  return {
    slack,
    service,
    /** Starts a process that dies where it comes to a point. */
    async start(...points: readonly CrashPoint[]): Promise<CrashingApp> {
      const app = await startCrashingApp(settings, points);
      apps.push(app);
      return app;
    },
    /** What stands in the channel of a report by that name, and in its threads. */
    async posts(name: string): Promise<readonly SlackMessage[]> {
      const messages = await slack.messages('C0OPS', 'U0CAROL');
      return messages.filter((message) => JSON.stringify(message).includes(`${name}: Every day`));
    },
    async repliesTo({ ts }: SlackMessage): Promise<readonly SlackMessage[]> {
      const messages = await slack.messages('C0OPS', 'U0CAROL');
      return messages.filter((message) => message.thread_ts === ts && message.ts !== ts);
    },
    /** How often a method of Slack's Web API was called. */
    async calls(method: string): Promise<number> {
      const response = await fetch(`${slack.url}/sandbox/traffic`);
      return traffic.parse(await response.json()).traffic.filter(({ kind }) => kind === method).length;
    },
    async close(): Promise<void> {
      await Promise.all(apps.map((app) => app.kill()));
      await slackSandbox.close();
      await hosting.close();
    },
  };
}

/** Plans a daily report whose next time is in so many ms. */
export async function planSoon(db: Database, name: string, vps: string, inMs: number): Promise<Report> {
  const nowMs = Date.now();
  const recurrence = { every: 'day', at: '09:00', zone: 'UTC', quiet: [] } as const;
  const content = reportContent.parse({ vps, vpsCount: 1, settings: {} });
  const plan = { name, channel: 'C0OPS', recurrence, content };
  const report = await createReportStore(db).add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, nowMs);
  if (!report) throw new Error('the name is taken');
  await db
    .updateTable('report')
    .set({ next_at: nowMs + inMs })
    .where('id', '=', report.id)
    .execute();
  return report;
}

/** Tells whether a time of a report has come to its end. */
export async function isOver(db: Database, { id }: Report): Promise<boolean> {
  return (await createReportStore(db).get(id))?.endedDueMs !== null;
}
