import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pMap from 'p-map';
import pino from 'pino';
import { createSlackSandbox } from 'slack-sandbox';
import { z } from 'zod';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createHostingSandbox } from '../src/sandbox/hosting/sandbox.ts';
import { findFreePort } from '../test/services/find-free-port.ts';
import {
  blocksText,
  createHostingDriver,
  createSlackDriver,
  manifestPath,
  type SlackMessage,
} from '../test/stack.ts';
import { buildBundle, bundlePath, createSettings, percentile, startProgram } from './program.ts';

const workspaceCount = 1_000;
const vpsCount = 3;
const minuteMs = 60_000;
/** Enough to add all watches and reports. */
const setUpMs = 5 * minuteMs;
/** Before the minute that is measured: compiles the code. */
const warmUpMs = minuteMs;
/** Longest wait for reports after they are due. */
const patienceMs = 10 * minuteMs;

const summarySchema = z.object({
  team: z.object({ id: z.string() }),
  app: z.object({ bot_id: z.string(), user_id: z.string() }),
  people: z.tuple([z.object({ id: z.string() })], z.unknown()),
  channels: z.tuple([z.object({ id: z.string() })], z.unknown()),
});

interface Workspace {
  readonly team: string;
  readonly user: string;
  readonly channel: string;
}

/** Measures 1,000 workspaces with two watches each, and then a report in each that is due at the same minute. */
export async function benchWorkspaces(): Promise<void> {
  buildBundle();
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));
  const hosting = await createHostingSandbox({ port: 0, vpsCount });
  const port = await findFreePort();
  const sandbox = await createSlackSandbox({
    port: 0,
    manifest: manifestPath,
    delivery: `http:http://127.0.0.1:${port}/slack/events`,
    seed: {
      workspaces: Array.from({ length: workspaceCount }, (_, index) => ({
        name: `workspace-${index}`,
        token: `xoxb-bench-${index}`,
        people: [{ name: 'olga', role: 'owner' as const }],
        channels: [{ name: 'general' }],
      })),
    },
  });
  const settings = {
    ...createSettings(`sqlite:${join(directory, 'rackhand.db')}`, port),
    SLACK_API_URL: `${sandbox.url}/api/`,
    HOSTING_API_URL: hosting.url,
  };
  const slack = createSlackDriver(sandbox.url);
  const workspaces = await connectWorkspaces(settings, sandbox.url, hosting.url);
  const first = await startProgram([bundlePath], settings);
  const dueMs = Math.ceil((Date.now() + setUpMs + warmUpMs + minuteMs) / minuteMs) * minuteMs;
  await pMap(workspaces, (workspace) => addMonitoring(slack, workspace, dueMs), { concurrency: 4 });
  await first.kill();
  const app = await startProgram([bundlePath], settings);
  const readyCpuMs = app.cpuMs();

  await delay(warmUpMs);
  const [before, cpuBeforeMs] = [await readLateness(port), app.cpuMs()];
  await delay(minuteMs);
  const after = await readLateness(port);
  const count = after.count - before.count;
  const rows: Record<string, string> = {
    'ready after': `${app.readyMs.toFixed(0)} ms, ${readyCpuMs.toFixed(0)} ms of CPU`,
    'watch cycles in a minute': String(count),
    'begun within 0.5 s of their time': percent((after.onTime - before.onTime) / Math.max(1, count)),
    'of a core': percent((app.cpuMs() - cpuBeforeMs) / minuteMs),
    memory: `${app.memoryMb().toFixed(0)} MB`,
  };
  const posts = await waitForReports(slack, workspaces, dueMs);
  const afterSeconds = posts.map(({ ts }) => Number(ts) - dueMs / 1_000);
  rows['reports with a picture'] = `${posts.filter(hasImage).length} of ${workspaceCount}`;
  rows['posted after their time, median and last'] =
    `${percentile(afterSeconds, 0.5).toFixed(1)} and ${Math.max(...afterSeconds).toFixed(1)} s`;
  rows['memory after them, with the process that draws'] = `${app.memoryMb().toFixed(0)} MB`;
  await app.kill();
  await sandbox.close();
  await hosting.close();
  rmSync(directory, { recursive: true });
  console.log(`\n${workspaceCount} workspaces with ${vpsCount} VPS, two watches and a daily report each`);
  console.table(rows);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

/** Installs Rackhand in each workspace, with a key of its own. */
async function connectWorkspaces(
  settings: ReturnType<typeof createSettings>,
  slackUrl: string,
  hostingUrl: string,
): Promise<readonly Workspace[]> {
  const app = await createApp(readConfig(settings), { log: pino({ level: 'warn' }) });
  const service = createHostingDriver(hostingUrl);
  const workspaces: Workspace[] = [];
  for (let index = 0; index < workspaceCount; index += 1) {
    await service.addKey(`bench-key-${index}`);
    const response = await fetch(`${slackUrl}/sandbox/workspace?team=workspace-${index}`);
    const { team, app: bot, people, channels } = summarySchema.parse(await response.json());
    const installation = {
      teamId: team.id,
      teamName: team.id,
      enterpriseId: null,
      botToken: `xoxb-bench-${index}`,
      botId: bot.bot_id,
      botUserId: bot.user_id,
    };
    await app.install(installation, `bench-key-${index}`);
    workspaces.push({ team: team.id, user: people[0].id, channel: channels[0].id });
  }
  await app.stop();
  return workspaces;
}

type SlackDriver = ReturnType<typeof createSlackDriver>;

/** Adds two watches and a daily report to a workspace. */
async function addMonitoring(
  slack: SlackDriver,
  { team, user, channel }: Workspace,
  dueMs: number,
): Promise<void> {
  const at = new Date(dueMs).toISOString().slice(11, 16);
  for (const command of [
    'watch add * cpu > 99.9% for 0m',
    'watch add * disk > 99.9% for 0m',
    `report add daily ${at}`,
  ]) {
    await slack.slash(command, { team, user, channel });
    await slack.message(/was added|is scheduled/, channel, user, team);
  }
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

/** Waits for the report of each workspace, at most `patienceMs`. */
async function waitForReports(slack: SlackDriver, workspaces: readonly Workspace[], dueMs: number) {
  const posts: SlackMessage[] = [];
  let waiting = workspaces;
  while (waiting.length > 0 && Date.now() < dueMs + patienceMs) {
    await delay(Math.max(5_000, dueMs - Date.now()));
    const missing: Workspace[] = [];
    for (const workspace of waiting) {
      const messages = await slack.messages(workspace.channel, workspace.user, workspace.team);
      const post = messages.find(({ ts }) => Number(ts) * 1_000 >= dueMs);
      if (post) posts.push(post);
      else missing.push(workspace);
    }
    waiting = missing;
  }
  return posts;
}

const hasImage = (message: SlackMessage) => blocksText(message).includes('"image"');
