import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSlackSandbox } from 'slack-sandbox';
import { openDatabase } from '../src/db/engines/database.ts';
import { createHostingSandbox } from '../src/sandbox/hosting/sandbox.ts';
import { createPostgresDatabase } from '../test/services/postgres.ts';
import { createHostingDriver, createSlackDriver, manifestPath } from '../test/stack.ts';
import { buildBundle, programs, type RunningProgram, startProgram } from './program.ts';
import { percentile } from './statistics.ts';

/** The commands, each with a text that only its answer contains. */
const commands = { help: 'What you can do', 'show VPS-10001': 'VPS-10001', list: 'VPS' } as const;
const commandCount = 100;
/** First, and within the quota of one minute: each reads the VPS twice before its call. */
const rebootCount = 10;

/**
 * Measures from a typed command to its answer, and from a click on Reboot until the hosting service has the
 * call and the channel its message: for one process, and for two replicas.
 */
export async function benchCommands(): Promise<void> {
  await withDriver(async (driver) => {
    await benchReboots(driver);
    const { slack, measure } = driver;
    for (const [command, answer] of Object.entries(commands))
      await measure(`/vps ${command}: to the answer`, commandCount, () => answerTime(slack, command, answer));
  });
  await withDriver(benchReboots, undefined, 2);
}

async function benchReboots({ slack, service, measure, report }: Driver): Promise<void> {
  let index = 0;
  const postedMs: number[] = [];
  await measure('click on Reboot: to the call', rebootCount, async () => {
    const vps = `VPS-${10_001 + index++}`;
    await slack.slash(`reboot ${vps}`);
    const card = await slack.message(vps);
    const clickedMs = Date.now();
    await slack.click(card, 'Reboot');
    return slack.untilSeen(async () => {
      const call = (await service.changes()).find(({ path }) => path.includes(vps));
      const message = (await slack.messages()).find(
        ({ ephemeral, text }) => !ephemeral && text.includes(vps),
      );
      if (!call || !message) throw new Error(`no call or message for ${vps}`);
      postedMs.push(Number(message.ts) * 1_000 - clickedMs);
      return call.at - clickedMs;
    });
  });
  report('click on Reboot: to the message', postedMs);
}

type SlackDriver = ReturnType<typeof createSlackDriver>;

/** Returns how long a command takes until its answer, in ms. */
export async function answerTime(
  slack: SlackDriver,
  command: string,
  answer: string | RegExp,
): Promise<number> {
  const startedMs = performance.now();
  await slack.slash(command);
  await slack.message(answer);
  return performance.now() - startedMs;
}

interface Driver {
  readonly slack: SlackDriver;
  readonly service: ReturnType<typeof createHostingDriver>;
  /** Measures an act several times. `act` returns its duration in ms. */
  readonly measure: (label: string, count: number, act: () => Promise<number>) => Promise<void>;
  /** Adds times that were measured along with others. */
  readonly report: (label: string, times: readonly number[]) => void;
}

/**
 * Runs the bundle over Socket Mode, with a database that `seed` has filled, and prints a table of what was measured.
 * Several replicas share a PostgreSQL database instead. The times include those of the sandbox, a few ms.
 */
export async function withDriver(
  work: (driver: Driver) => Promise<void>,
  seed: (file: string) => void = () => {},
  replicas = 1,
): Promise<void> {
  buildBundle();
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));
  const file = join(directory, 'rackhand.db');
  await (await openDatabase(`sqlite:${file}`)).close();
  seed(file);
  const postgres = replicas > 1 ? await createPostgresDatabase() : undefined;
  const hosting = await createHostingSandbox({ port: 0 });
  const sandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
  const settings = {
    SLACK_BOT_TOKEN: 'xoxb-sandbox-acme',
    SLACK_APP_TOKEN: 'xapp-sandbox',
    SLACK_API_URL: `${sandbox.url}/api/`,
    HOSTING_API_URL: hosting.url,
    HOSTING_API_KEY: 'sandbox-key-full',
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    DATABASE_URL: postgres?.url ?? `sqlite:${file}`,
    PORT: '0',
  };
  const started: RunningProgram[] = [];
  for (let index = 0; index < replicas; index += 1)
    started.push(await startProgram([programs.bundle], settings));
  const cpuMs = () => started.reduce((sum, program) => sum + program.cpuMs(), 0);
  const rows: Record<string, object> = {};
  const report = (label: string, times: readonly number[], more = {}) => {
    rows[label] = {
      times: times.length,
      'p50, ms': Math.round(percentile(times, 0.5)),
      'p99, ms': Math.round(percentile(times, 0.99)),
      ...more,
    };
  };
  await work({
    slack: createSlackDriver(sandbox.url),
    service: createHostingDriver(hosting.url),
    async measure(label, count, act) {
      const times: number[] = [];
      const cpuBeforeMs = cpuMs();
      for (let index = 0; index < count; index += 1) times.push(await act());
      report(label, times, { 'CPU each, ms': Math.round((cpuMs() - cpuBeforeMs) / count) });
    },
    report,
  });
  for (const program of started) await program.kill();
  await sandbox.close();
  await hosting.close();
  await postgres?.stop();
  rmSync(directory, { recursive: true });
  console.table(rows);
}
