import { readFileSync } from 'node:fs';
import { createSlackSandbox } from 'slack-sandbox';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Database } from '../../../src/db/engines/database.ts';
import { reportContent } from '../../../src/monitoring/reports/planning/report-content.ts';
import type { Report } from '../../../src/monitoring/reports/report.ts';
import { createReportStore } from '../../../src/monitoring/reports/report-store.ts';
import { createHostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import {
  type CrashableApp,
  type CrashPoint,
  createSandboxSettings,
  startCrashableApp,
} from '../../end-to-end/crash-process.ts';
import { createHostingDriver, createSlackDriver, manifestPath, type SlackMessage } from '../../stack.ts';

const manifest = z.looseObject({
  oauth_config: z.looseObject({ scopes: z.looseObject({ bot: z.array(z.string()) }) }),
});

const traffic = z.object({ traffic: z.array(z.object({ kind: z.string() })) });

/** Returns the app's manifest, with or without the scope for channel history. */
function manifestWith(mayReadHistory: boolean): object {
  const declared = manifest.parse(parse(readFileSync(manifestPath, 'utf8')));
  if (mayReadHistory) declared.oauth_config.scopes.bot.push('channels:history');
  return declared;
}

interface CrashFixtureOptions {
  readonly databaseUrl: string;
  readonly mayReadHistory: boolean;
  readonly vpsCount?: number;
}

export type CrashFixture = Awaited<ReturnType<typeof createCrashFixture>>;

/**
 * Starts a hosting service and a Slack workspace. Returns a function that starts the app in a
 * process of its own.
 */
export async function createCrashFixture({
  databaseUrl,
  mayReadHistory,
  vpsCount = 12,
}: CrashFixtureOptions) {
  const hosting = await createHostingSandbox({ port: 0, vpsCount });
  const slackSandbox = await createSlackSandbox({ port: 0, manifest: manifestWith(mayReadHistory) });
  const [slack, service] = [createSlackDriver(slackSandbox.url), createHostingDriver(hosting.url)];
  // The service's own limit doesn't matter here, because the app's quota is tested.
  await service.addKey('a-generous-key', { quota: 1000 });
  const apps: CrashableApp[] = [];
  const settings = {
    ...createSandboxSettings({
      slackUrl: slackSandbox.url,
      hostingUrl: hosting.url,
      databaseUrl,
      apiKey: 'a-generous-key',
    }),
  };

  return {
    slack,
    service,
    /** Starts a process that crashes at any of these points. */
    async start(...points: readonly CrashPoint[]): Promise<CrashableApp> {
      const app = await startCrashableApp(settings, points);
      apps.push(app);
      return app;
    },
    /** Returns the posts of a report in its channel and in threads. */
    async posts(name: string): Promise<readonly SlackMessage[]> {
      const messages = await slack.messages('C0OPS', 'U0CAROL');
      return messages.filter((message) => JSON.stringify(message).includes(`${name}: Every day`));
    },
    async repliesTo({ ts }: SlackMessage): Promise<readonly SlackMessage[]> {
      const messages = await slack.messages('C0OPS', 'U0CAROL');
      return messages.filter((message) => message.thread_ts === ts && message.ts !== ts);
    },
    /** Returns how often a method of Slack's Web API was called. */
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

/** Adds a daily report that is due in `inMs` ms. */
export async function addReportDueIn(db: Database, name: string, vps: string, inMs: number): Promise<Report> {
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
