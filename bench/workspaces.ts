import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createSlackSandbox } from 'slack-sandbox';
import { z } from 'zod';
import { createHostingSandbox } from '../src/sandbox/hosting/sandbox.ts';
import { findFreePort } from '../test/services/find-free-port.ts';
import { createHostingDriver, manifestPath } from '../test/stack.ts';
import { recordReached } from './aims.ts';
import { readCpuMs, readResidentMb, readStartFlags } from './bench-environment.ts';
import { bundleApp } from './bundle-apps.ts';
import { median, percentile, printTable } from './statistics.ts';
import type { WorkspacesAppSettings } from './workspaces-app.ts';

const workspaceCounts = [1, 100, 1_000];
const vpsCount = 3;
/** How long the watches are measured at a time, alone and before the reports are due. */
const watchMs = 60_000;
/** How often the watches of the most workspaces are measured, because that has aims. */
const watchMinutes = 5;
/** How many reports each workspace gets one after the other, if there are the most workspaces. */
const reportRounds = 5;
/** Time between two reports of a workspace. */
const roundMs = 120_000;
/** How long it takes at most to fill the database, to start, and to compile the code. */
const setUpMs = 90_000;
/** When memory is read again after the reports. The process that draws charts has ended by then. */
const settledMs = 90_000;
/** Longest wait for reports after they are due. */
const patienceMs = 10 * 60_000;

const summarySchema = z.object({
  team: z.object({ id: z.string() }),
  app: z.object({ bot_id: z.string(), user_id: z.string() }),
  people: z.array(z.object({ id: z.string(), role: z.string() })),
  channels: z.array(z.object({ id: z.string() })),
});

const messagesSchema = z.object({ messages: z.array(z.object({ ts: z.string(), blocks: z.unknown() })) });

/**
 * Measures two watches in each of many workspaces, first alone, then beside a daily report in each.
 * All reports are due at the same minute.
 */
export async function benchWorkspaces(): Promise<void> {
  const watchRows: string[][] = [];
  const reportRows: string[][] = [];
  for (const count of workspaceCounts) {
    watchRows.push([`${count}`, ...(await measureWatches(count))]);
    reportRows.push([`${count}`, ...(await measureReports(count))]);
  }
  console.log(
    `\nWorkspaces with ${vpsCount} VPS and two watches; the most workspaces: medians of ${watchMinutes} minutes`,
  );
  printTable(
    [
      'workspaces',
      'ready, ms',
      'cycles a minute',
      'begun within 0.5 s',
      'of a core',
      'longest stall, ms: app / idle process',
      'MB',
    ],
    watchRows,
  );
  console.log(
    `\nThe same with a report in each that is due at the same minute; the most workspaces: medians of ${reportRounds} reports, ${roundMs / 60_000} minutes apart`,
  );
  printTable(
    [
      'workspaces',
      'of a core before',
      'with a picture',
      'posted after, s: median / last',
      'MB after each, with children',
      `MB ${settledMs / 1_000} s later`,
    ],
    reportRows,
  );
}

/** The watches in one minute. */
interface WatchMinute {
  readonly cycles: number;
  readonly onTimeShare: number;
  readonly coreShare: number;
  readonly stallMs: number;
  readonly idleStallMs: number;
  readonly residentMb: number;
}

/** Measures the watches for some minutes. */
async function measureWatches(count: number): Promise<string[]> {
  return await withApp(count, [], async ({ app, settings, readyMs }) => {
    const idle = fork(new URL('idle-app.ts', import.meta.url).pathname);
    // The first minute compiles the code.
    await delay(watchMs);
    const minutes: WatchMinute[] = [];
    const minuteCount = count === workspaceCounts.at(-1) ? watchMinutes : 1;
    for (let minute = 0; minute < minuteCount; minute += 1)
      minutes.push(await measureMinute(app, idle, settings.port));
    idle.kill();
    const medianOf = (figure: keyof WatchMinute) => median(minutes.map((one) => one[figure]));
    // The last count is the one with aims.
    recordReached('onTimePercent', medianOf('onTimeShare') * 100);
    recordReached('stallMs', medianOf('stallMs'));
    recordReached('corePercent', medianOf('coreShare') * 100);
    recordReached('workspacesMb', medianOf('residentMb'));
    return [
      readyMs.toFixed(0),
      medianOf('cycles').toFixed(0),
      formatShare(medianOf('onTimeShare')),
      formatShare(medianOf('coreShare')),
      `${medianOf('stallMs').toFixed(0)} / ${medianOf('idleStallMs').toFixed(0)}`,
      medianOf('residentMb').toFixed(0),
    ];
  });
}

async function measureMinute(app: ChildProcess, idle: ChildProcess, port: number): Promise<WatchMinute> {
  const pid = app.pid ?? 0;
  const [before, cpuBeforeMs] = [await readLateness(port), readCpuMs(pid)];
  await Promise.all([takeLongestStall(app), takeLongestStall(idle)]);
  await delay(watchMs);
  const cpuAfterMs = readCpuMs(pid);
  const [stallMs, idleStallMs] = await Promise.all([takeLongestStall(app), takeLongestStall(idle)]);
  const after = await readLateness(port);
  const cycles = after.count - before.count;
  return {
    cycles,
    onTimeShare: (after.onTimeCount - before.onTimeCount) / Math.max(1, cycles),
    coreShare: (cpuAfterMs - cpuBeforeMs) / watchMs,
    stallMs,
    idleStallMs,
    residentMb: readResidentMb(pid),
  };
}

/** The reports of all workspaces that are due at one minute. */
interface ReportRound {
  readonly pictureCount: number;
  readonly medianSeconds: number;
  readonly lastSeconds: number;
  readonly residentMb: number;
}

/** Measures the reports, and the minute before the first ones are due. */
async function measureReports(count: number): Promise<string[]> {
  const firstDueMs = Math.ceil((Date.now() + setUpMs + watchMs) / 60_000) * 60_000;
  const roundCount = count === workspaceCounts.at(-1) ? reportRounds : 1;
  const dueTimes = Array.from({ length: roundCount }, (_, round) => firstDueMs + round * roundMs);
  return await withApp(count, dueTimes, async ({ app, settings, slackUrl }) => {
    const pid = app.pid ?? 0;
    await delay(Math.max(0, firstDueMs - watchMs - Date.now()));
    const cpuBeforeMs = readCpuMs(pid);
    await delay(Math.max(0, firstDueMs - Date.now()));
    const coreShare = (readCpuMs(pid) - cpuBeforeMs) / watchMs;
    const rounds: ReportRound[] = [];
    for (const [round, dueMs] of dueTimes.entries()) {
      const posts = await waitForReports(slackUrl, settings, { round, dueMs });
      const afterSeconds = posts.map(({ ts }) => Number(ts) - dueMs / 1_000);
      rounds.push({
        pictureCount: posts.filter(({ hasImage }) => hasImage).length,
        medianSeconds: percentile(afterSeconds, 0.5),
        lastSeconds: Math.max(...afterSeconds),
        residentMb: readTreeMb(pid),
      });
    }
    await delay(settledMs);
    const medianOf = (figure: keyof ReportRound) => median(rounds.map((one) => one[figure]));
    // A median would hide the pictures that one round has lost.
    const pictureCount = sum(rounds.map((one) => one.pictureCount));
    const reportCount = count * roundCount;
    recordReached('picturesPercent', (pictureCount / reportCount) * 100);
    recordReached('lastReportSeconds', medianOf('lastSeconds'));
    return [
      formatShare(coreShare),
      `${pictureCount} of ${reportCount}`,
      `${medianOf('medianSeconds').toFixed(1)} / ${medianOf('lastSeconds').toFixed(1)}`,
      rounds.map(({ residentMb }) => residentMb.toFixed(0)).join(', '),
      readTreeMb(pid).toFixed(0),
    ];
  });
}

interface RunningApp {
  readonly app: ChildProcess;
  readonly settings: WorkspacesAppSettings;
  readonly slackUrl: string;
  readonly readyMs: number;
}

/** Runs Rackhand for many workspaces while `use` measures it. `dueTimes` are when each workspace's reports are due. */
async function withApp(
  count: number,
  dueTimes: readonly number[],
  use: (running: RunningApp) => Promise<string[]>,
): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));
  const hosting = await createHostingSandbox({ port: 0, vpsCount });
  const slack = await createSlackSandbox({ port: 0, manifest: manifestPath, seed: describe(count) });
  try {
    const addresses = { hostingUrl: hosting.url, slackUrl: slack.url };
    const settings = await findSettings({ directory, count, dueTimes, ...addresses });
    const settingsFile = join(directory, 'settings.json');
    writeFileSync(settingsFile, JSON.stringify(settings));
    const [exitCode] = await once(await startProcess('seed', settingsFile), 'exit');
    if (exitCode !== 0) throw new Error("the database couldn't be filled");

    const startedMs = performance.now();
    const app = await startProcess('run', settingsFile);
    await once(app, 'message');
    const readyMs = performance.now() - startedMs;
    try {
      return await use({ app, settings, slackUrl: slack.url, readyMs });
    } finally {
      app.kill('SIGKILL');
      await once(app, 'exit');
    }
  } finally {
    await slack.close();
    await hosting.close();
    rmSync(directory, { recursive: true });
  }
}

/** Describes workspaces with an owner and a channel each. */
function describe(count: number) {
  return {
    workspaces: Array.from({ length: count }, (_, index) => ({
      name: `workspace-${index}`,
      token: `xoxb-bench-${index}`,
      people: [{ name: 'olga', role: 'owner' as const }],
      channels: [{ name: 'general' }],
    })),
  };
}

/** Connects each workspace with a key of its own, and returns the settings of the app. */
async function findSettings({
  directory,
  count,
  dueTimes,
  hostingUrl,
  slackUrl,
}: {
  readonly directory: string;
  readonly count: number;
  readonly dueTimes: readonly number[];
  readonly hostingUrl: string;
  readonly slackUrl: string;
}): Promise<WorkspacesAppSettings> {
  const service = createHostingDriver(hostingUrl);
  const workspaces: WorkspacesAppSettings['workspaces'] = [];
  for (let index = 0; index < count; index += 1) {
    const apiKey = `bench-key-${index}`;
    await service.addKey(apiKey);
    const response = await fetch(`${slackUrl}/sandbox/workspace?team=workspace-${index}`);
    const { team, app, people, channels } = summarySchema.parse(await response.json());
    workspaces.push({
      teamId: team.id,
      botToken: `xoxb-bench-${index}`,
      botId: app.bot_id,
      botUserId: app.user_id,
      ownerId: people.find(({ role }) => role === 'owner')?.id ?? '',
      channelId: channels[0]?.id ?? '',
      apiKey,
    });
  }
  return {
    hostingUrl,
    slackUrl,
    databaseUrl: `sqlite:${join(directory, 'app.db')}`,
    encryptionKey: randomBytes(32).toString('base64'),
    port: await findFreePort(),
    reportTimes: dueTimes.map((dueMs) => new Date(dueMs).toISOString().slice(11, 16)),
    workspaces,
  };
}

async function startProcess(mode: 'seed' | 'run', settingsFile: string) {
  return fork(await bundleApp('workspaces-app'), [mode, settingsFile], { execArgv: readStartFlags() });
}

/** Returns the longest stall of a process's event loop since the call before, in milliseconds. */
async function takeLongestStall(program: ChildProcess): Promise<number> {
  program.send('stall');
  const [stallMs] = await once(program, 'message');
  return z.number().parse(stallMs);
}

function formatShare(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

/** Returns how many cycles have begun, and how many of them within half a second of their time. */
async function readLateness(port: number): Promise<{ count: number; onTimeCount: number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const read = (name: string, label: string) => {
    const line = text
      .split('\n')
      .find((one) => one.startsWith(name) && one.includes('watch-evaluation') && one.includes(label));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  return {
    count: read('rackhand_job_lateness_seconds_count', ''),
    onTimeCount: read('rackhand_job_lateness_seconds_bucket', 'le="0.5"'),
  };
}

/** Waits for the report of each workspace in this round, at most `patienceMs`. */
async function waitForReports(
  slackUrl: string,
  { workspaces }: WorkspacesAppSettings,
  { round, dueMs }: { readonly round: number; readonly dueMs: number },
) {
  const posts: { readonly ts: string; readonly hasImage: boolean }[] = [];
  let waiting = workspaces;
  while (waiting.length > 0 && Date.now() < dueMs + patienceMs) {
    await delay(Math.max(5_000, dueMs - Date.now()));
    const missing: typeof workspaces = [];
    for (const workspace of waiting) {
      const query = new URLSearchParams({
        team: workspace.teamId,
        channel: workspace.channelId,
        user: workspace.ownerId,
      });
      const response = await fetch(`${slackUrl}/sandbox/messages?${query}`);
      const { messages } = messagesSchema.parse(await response.json());
      const post = messages[round];
      if (post) posts.push({ ts: post.ts, hasImage: JSON.stringify(post.blocks).includes('"image"') });
      else missing.push(workspace);
    }
    waiting = missing;
  }
  return posts;
}

/** Returns the memory of a process and its children. */
function readTreeMb(pid: number): number {
  return readResidentMb(pid) + sum(listChildren(pid).map(readResidentMb));
}

function listChildren(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

if (import.meta.main) await benchWorkspaces();
