import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { createSlackSandbox } from 'slack-sandbox';
import { z } from 'zod';
import { createApp } from '../src/app.ts';
import { openDatabase } from '../src/db/engines/database.ts';
import { reportContent } from '../src/monitoring/reports/planning/report-content.ts';
import { createReportStore } from '../src/monitoring/reports/report-store.ts';
import { createWatchStore } from '../src/monitoring/watches/watch-store.ts';
import { createHostingSandbox } from '../src/sandbox/hosting/sandbox.ts';
import { findFreePort } from '../test/services/find-free-port.ts';
import { createHostingDriver, manifestPath } from '../test/stack.ts';
import { buildBundle, createSettings, programs, startProgram } from './program.ts';
import { percentile, printTable } from './statistics.ts';

const workspaceCount = 1_000;
const vpsCount = 3;
const minuteMs = 60_000;
/** Before the minute that is measured: compiles the code. */
const warmUpMs = minuteMs;
/** Longest wait for reports after they are due. */
const patienceMs = 10 * minuteMs;

const summarySchema = z.object({
  team: z.object({ id: z.string() }),
  app: z.object({ bot_id: z.string(), user_id: z.string() }),
  people: z.array(z.object({ id: z.string(), role: z.string() })),
  channels: z.array(z.object({ id: z.string() })),
});
const messagesSchema = z.object({ messages: z.array(z.object({ ts: z.string(), blocks: z.unknown() })) });

interface Workspace {
  readonly index: number;
  readonly teamId: string;
  readonly botId: string;
  readonly botUserId: string;
  readonly ownerId: string;
  readonly channelId: string;
}

/** Measures 1,000 workspaces with two watches each, and then a report in each that is due at the same minute. */
export async function benchWorkspaces(): Promise<void> {
  buildBundle();
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));
  const hosting = await createHostingSandbox({ port: 0, vpsCount });
  const slack = await createSlackSandbox({
    port: 0,
    manifest: manifestPath,
    seed: {
      workspaces: Array.from({ length: workspaceCount }, (_, index) => ({
        name: `workspace-${index}`,
        token: `xoxb-bench-${index}`,
        people: [{ name: 'olga', role: 'owner' as const }],
        channels: [{ name: 'general' }],
      })),
    },
  });
  const port = await findFreePort();
  const settings = {
    ...createSettings(`sqlite:${join(directory, 'rackhand.db')}`, port),
    SLACK_API_URL: `${slack.url}/api/`,
    HOSTING_API_URL: hosting.url,
    LOG_LEVEL: 'info',
  };
  const workspaces = await connectWorkspaces(settings, slack.url, hosting.url);
  const dueMs = Math.ceil((Date.now() + warmUpMs + minuteMs + 45_000) / minuteMs) * minuteMs;
  await addMonitoring(settings.DATABASE_URL, workspaces, dueMs);
  const app = await startProgram([programs.bundle], settings);
  const readyCpuMs = app.cpuMs();

  await delay(warmUpMs);
  const [before, cpuBeforeMs] = [await readLateness(port), app.cpuMs()];
  const probes = await probe(port, minuteMs);
  const after = await readLateness(port);
  const count = after.count - before.count;
  const rows = [
    ['ready after', `${app.readyMs.toFixed(0)} ms, ${readyCpuMs.toFixed(0)} ms of CPU`],
    ['watch cycles in a minute', String(count)],
    ['begun within 0.5 s of their time', percent((after.onTime - before.onTime) / Math.max(1, count))],
    ['of a core', percent((app.cpuMs() - cpuBeforeMs) / minuteMs)],
    [
      '/healthz beside it, p99 and longest',
      `${percentile(probes, 0.99).toFixed(0)} and ${Math.max(...probes).toFixed(0)} ms`,
    ],
    ['memory', `${app.memoryMb().toFixed(0)} MB`],
  ];
  const posts = await waitForReports(slack.url, workspaces, dueMs);
  const afterSeconds = posts.map(({ ts }) => Number(ts) - dueMs / 1_000);
  rows.push(
    ['reports with a picture', `${posts.filter(({ hasImage }) => hasImage).length} of ${workspaceCount}`],
    [
      'posted after their time, median and last',
      `${percentile(afterSeconds, 0.5).toFixed(1)} and ${Math.max(...afterSeconds).toFixed(1)} s`,
    ],
    ['memory after them, with the process that draws', `${app.memoryMb().toFixed(0)} MB`],
  );
  await app.kill();
  await slack.close();
  await hosting.close();
  rmSync(directory, { recursive: true });
  console.log(`\n${workspaceCount} workspaces with ${vpsCount} VPS, two watches and a daily report each`);
  printTable(['', ''], rows);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

type Settings = ReturnType<typeof createSettings> & { readonly SLACK_API_URL: string };

/** Installs Rackhand in each workspace, with a key of its own. */
async function connectWorkspaces(
  settings: Settings,
  slackUrl: string,
  hostingUrl: string,
): Promise<readonly Workspace[]> {
  const app = await createApp(
    {
      slack: {
        apiUrl: settings.SLACK_API_URL,
        delivery: { mode: 'http', signingSecret: settings.SLACK_SIGNING_SECRET },
      },
      server: { port: 0, host: '127.0.0.1' },
      hosting: { baseUrl: hostingUrl, keyHeader: 'authorization', pathOverrides: {}, vpsActions: ['reboot'] },
      encryptionKeys: [Buffer.from(settings.ENCRYPTION_KEYS, 'base64')],
      databaseUrl: settings.DATABASE_URL,
    },
    { log: pino({ level: 'warn' }) },
  );
  const service = createHostingDriver(hostingUrl);
  const workspaces: Workspace[] = [];
  for (let index = 0; index < workspaceCount; index += 1) {
    await service.addKey(`bench-key-${index}`);
    const response = await fetch(`${slackUrl}/sandbox/workspace?team=workspace-${index}`);
    const { team, app: bot, people, channels } = summarySchema.parse(await response.json());
    const workspace = {
      index,
      teamId: team.id,
      botId: bot.bot_id,
      botUserId: bot.user_id,
      ownerId: people.find(({ role }) => role === 'owner')?.id ?? '',
      channelId: channels[0]?.id ?? '',
    };
    const { teamId, botId, botUserId } = workspace;
    const installation = {
      teamId,
      teamName: teamId,
      enterpriseId: null,
      botToken: `xoxb-bench-${index}`,
      botId,
      botUserId,
    };
    await app.install(installation, `bench-key-${index}`);
    workspaces.push(workspace);
  }
  await app.stop();
  return workspaces;
}

/** Adds two watches and a daily report to each workspace. */
async function addMonitoring(
  databaseUrl: string,
  workspaces: readonly Workspace[],
  dueMs: number,
): Promise<void> {
  const { db, close } = await openDatabase(databaseUrl);
  const [reports, watches] = [createReportStore(db), createWatchStore(db)];
  const addJob = (kind: string, id: string, teamId: string, payload: object, atMs: number) =>
    db
      .insertInto('job')
      .values({
        kind,
        id,
        team_id: teamId,
        user_id: '',
        payload: JSON.stringify(payload),
        due_at: atMs,
        claimable_at: atMs,
        claim_token: null,
        attempts: 0,
        revision: 0,
        set_aside_reason: null,
      })
      .execute();
  const nowMs = Date.now();
  const at = new Date(dueMs).toISOString().slice(11, 16);
  const timing = { kind: 'day', at, zone: 'UTC', quiet: [] } as const;
  const content = reportContent.parse({ vps: '*', settings: {}, vpsCount });
  for (const { index, teamId, ownerId: userId, channelId: channel } of workspaces) {
    const owner = { teamId, userId };
    const report = await reports.add(owner, { name: 'daily', channel, timing, content }, nowMs);
    await addJob('report', report?.id ?? '', teamId, { dueMs: null }, nowMs);
    for (const measure of ['cpu', 'disk'] as const) {
      const condition = { measure, is: 'over', figure: 99.9, forMs: 0 } as const;
      await watches.add(owner, { name: measure, channel, vps: '*', condition }, nowMs);
    }
    const phaseMs = Math.floor((index * minuteMs) / workspaces.length);
    await addJob(
      'watch-evaluation',
      teamId,
      teamId,
      { lastVps: null, intervalMs: null, calls: 0 },
      nowMs + phaseMs,
    );
  }
  await close();
}

/** Returns how many watch cycles have begun, and how many of them within half a second of their time. */
async function readLateness(port: number): Promise<{ readonly count: number; readonly onTime: number }> {
  const lines = (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).split('\n');
  const read = (start: string, label: string) =>
    Number(
      lines
        .find((line) => line.startsWith(start) && line.includes('watch-evaluation') && line.includes(label))
        ?.split(' ')
        .at(-1) ?? 0,
    );
  return {
    count: read('rackhand_job_lateness_seconds_count', ''),
    onTime: read('rackhand_job_lateness_seconds_bucket', 'le="0.5"'),
  };
}

/** Asks the app every 100 ms whether it is alive. Returns how long the answers took. */
async function probe(port: number, durationMs: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (const endMs = performance.now() + durationMs; performance.now() < endMs; await delay(100)) {
    const startedMs = performance.now();
    await (await fetch(`http://127.0.0.1:${port}/healthz`)).text();
    times.push(performance.now() - startedMs);
  }
  return times;
}

/** Waits for the report of each workspace, at most `patienceMs`. */
async function waitForReports(slackUrl: string, workspaces: readonly Workspace[], dueMs: number) {
  const posts: { readonly ts: string; readonly hasImage: boolean }[] = [];
  let waiting = workspaces;
  while (waiting.length > 0 && Date.now() < dueMs + patienceMs) {
    await delay(Math.max(5_000, dueMs - Date.now()));
    const missing: Workspace[] = [];
    for (const workspace of waiting) {
      const { teamId: team, channelId: channel, ownerId: user } = workspace;
      const response = await fetch(
        `${slackUrl}/sandbox/messages?${new URLSearchParams({ team, channel, user })}`,
      );
      const [post] = messagesSchema.parse(await response.json()).messages;
      if (post) posts.push({ ts: post.ts, hasImage: JSON.stringify(post.blocks).includes('"image"') });
      else missing.push(workspace);
    }
    waiting = missing;
  }
  return posts;
}
