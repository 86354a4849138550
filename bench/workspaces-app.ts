import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { z } from 'zod';
import { answerStalls } from './answer-stalls.ts';

// Rackhand for many workspaces. With `seed` as its first argument, it only fills the database. Else it
// tells the parent when it is ready, and answers each message with the longest stall of the event loop.
enableCompileCache();
const { createApp } = await import('../src/app.ts');
const { createLogger } = await import('../src/logger.ts');

const settingsSchema = z.object({
  hostingUrl: z.string(),
  slackUrl: z.string(),
  databaseUrl: z.string(),
  encryptionKey: z.string(),
  port: z.number(),
  /** The times of day in UTC at which each workspace has a report, as `HH:MM`. */
  reportTimes: z.array(z.string()),
  workspaces: z.array(
    z.object({
      teamId: z.string(),
      botToken: z.string(),
      botId: z.string(),
      botUserId: z.string(),
      ownerId: z.string(),
      channelId: z.string(),
      apiKey: z.string(),
    }),
  ),
});
/** Settings of the process, as its second argument. */
export type WorkspacesAppSettings = z.infer<typeof settingsSchema>;

const [mode = '', settingsFile = ''] = process.argv.slice(2);
const settings = settingsSchema.parse(JSON.parse(readFileSync(settingsFile, 'utf8')));
const app = await createApp(
  {
    slack: {
      apiUrl: `${settings.slackUrl}/api/`,
      delivery: { mode: 'http', signingSecret: 'sandbox-signing-secret' },
    },
    server: { port: settings.port, host: '127.0.0.1' },
    hosting: {
      baseUrl: settings.hostingUrl,
      keyHeader: 'authorization',
      pathOverrides: {},
      vpsActions: ['reboot'],
    },
    encryptionKeys: [Buffer.from(settings.encryptionKey, 'base64')],
    databaseUrl: settings.databaseUrl,
  },
  { log: createLogger('warn') },
);

if (mode === 'seed') {
  for (const { teamId, botToken, botId, botUserId, apiKey } of settings.workspaces)
    await app.install({ teamId, teamName: teamId, enterpriseId: null, botToken, botId, botUserId }, apiKey);
  await app.stop();
  await addMonitoring();
} else {
  await app.start();
  answerStalls();
  process.send?.('ready');
}

/** Adds two watches to each workspace, and the daily reports that are asked for. */
async function addMonitoring(): Promise<void> {
  const { openDatabase } = await import('../src/db/engines/database.ts');
  const { createReportStore } = await import('../src/monitoring/reports/report-store.ts');
  const { reportContent } = await import('../src/monitoring/reports/planning/report-content.ts');
  const { createWatchStore } = await import('../src/monitoring/watches/watch-store.ts');
  const { db, close } = await openDatabase(settings.databaseUrl);
  const [reports, watches] = [createReportStore(db), createWatchStore(db)];
  const addJob = (kind: string, id: string, teamId: string, payload: object, dueMs: number) =>
    db
      .insertInto('job')
      .values({
        kind,
        id,
        team_id: teamId,
        user_id: '',
        payload: JSON.stringify(payload),
        due_at: dueMs,
        claimable_at: dueMs,
        claim_token: null,
        attempts: 0,
        revision: 0,
        set_aside_reason: null,
      })
      .execute();
  const nowMs = Date.now();
  for (const [index, { teamId, ownerId: userId, channelId: channel }] of settings.workspaces.entries()) {
    for (const at of settings.reportTimes) {
      const report = await reports.add(
        { teamId, userId },
        {
          name: `at ${at}`,
          channel,
          recurrence: { every: 'day', at, zone: 'UTC', quiet: [] },
          content: reportContent.parse({ vps: '*', settings: {}, vpsCount: 3 }),
        },
        nowMs,
      );
      await addJob('report', report?.id ?? '', teamId, { dueMs: null }, nowMs);
    }
    for (const [measure, figure] of [
      ['cpu', 99.9],
      ['disk', 99.9],
    ] as const) {
      const condition = { measure, is: 'over', figure, forMs: 0 } as const;
      await watches.add({ teamId, userId }, { name: measure, channel, vps: '*', condition }, nowMs);
    }
    const phaseMs = Math.floor((index * 60_000) / settings.workspaces.length);
    const cycle = { lastVps: null, intervalMs: null, calls: 0 };
    await addJob('watch-evaluation', teamId, teamId, cycle, nowMs + phaseMs);
  }
  await close();
}
