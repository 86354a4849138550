import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSlackSandbox } from 'slack-sandbox';
import { openDatabase } from '../src/db/engines/database.ts';
import { createHostingSandbox } from '../src/sandbox/hosting/sandbox.ts';
import { createHostingDriver, createSlackDriver, manifestPath } from '../test/stack.ts';
import { buildBundle, bundlePath, percentile, startProgram } from './program.ts';

/** The commands, each with a text that only its answer contains. */
const commands = { help: 'What you can do', 'show VPS-10001': 'VPS-10001', list: 'VPS' } as const;
const commandCount = 100;
/** First, and within the quota of one minute: each click has several calls before and after it. */
const clickCount = 4;

/** Measures from a typed command to its answer, and from a click on Reboot to its message and to its call. */
export async function benchCommands(): Promise<void> {
  await withDriver(async ({ slack, service, measure }) => {
    let index = 0;
    const measureClick = (label: string, findEndMs: (vps: string) => Promise<number>) =>
      measure(`click on Reboot: to ${label}`, clickCount, async () => {
        const vps = `VPS-${10_001 + index++}`;
        await slack.slash(`reboot ${vps}`);
        const card = await slack.message(`(${vps})?`);
        const clickedMs = Date.now();
        await slack.click(card, 'Reboot');
        return (await findEndMs(vps)) - clickedMs;
      });
    await measureClick('the message', async (vps) => {
      const { ts } = await slack.message(`(${vps}): `);
      return Number(ts) * 1_000;
    });
    await measureClick('the call', (vps) =>
      slack.untilSeen(async () => {
        const call = (await service.changes()).find(({ path }) => path.includes(vps));
        if (!call) throw new Error(`no call for ${vps}`);
        return call.at;
      }),
    );
    for (const [command, answer] of Object.entries(commands))
      await measure(`/vps ${command}: to the answer`, commandCount, () => answerTime(slack, command, answer));
  });
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
}

/**
 * Runs the bundle over Socket Mode, with a database that `seed` has filled, and prints a table of what was measured.
 * The times include those of the sandbox, a few ms.
 */
export async function withDriver(
  work: (driver: Driver) => Promise<void>,
  seed: (file: string) => void = () => {},
): Promise<void> {
  buildBundle();
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));
  const file = join(directory, 'rackhand.db');
  await (await openDatabase(`sqlite:${file}`)).close();
  seed(file);
  const hosting = await createHostingSandbox({ port: 0 });
  const sandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
  const program = await startProgram([bundlePath], {
    SLACK_BOT_TOKEN: 'xoxb-sandbox-acme',
    SLACK_APP_TOKEN: 'xapp-sandbox',
    SLACK_API_URL: `${sandbox.url}/api/`,
    HOSTING_API_URL: hosting.url,
    HOSTING_API_KEY: 'sandbox-key-full',
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    DATABASE_URL: `sqlite:${file}`,
    PORT: '0',
  });
  const rows: Record<string, object> = {};
  try {
    await work({
      slack: createSlackDriver(sandbox.url),
      service: createHostingDriver(hosting.url),
      async measure(label, count, act) {
        const times: number[] = [];
        const cpuBeforeMs = program.cpuMs();
        for (let index = 0; index < count; index += 1) times.push(await act());
        rows[label] = {
          times: count,
          'p50, ms': Math.round(percentile(times, 0.5)),
          'p99, ms': Math.round(percentile(times, 0.99)),
          'CPU each, ms': Math.round((program.cpuMs() - cpuBeforeMs) / count),
        };
      },
    });
  } finally {
    await program.kill();
    await sandbox.close();
    await hosting.close();
    rmSync(directory, { recursive: true });
  }
  console.table(rows);
}
