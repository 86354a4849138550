import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSlackSandbox } from 'slack-sandbox';
import { createHostingSandbox } from '../src/sandbox/hosting/sandbox.ts';
import { createHostingDriver, createSlackDriver, manifestPath } from '../test/stack.ts';
import { buildBundle, programs, startProgram } from './program.ts';
import { percentile, printTable } from './statistics.ts';

/** The commands, each with a text that only its answer contains. */
const commands = { help: 'What you can do', 'show VPS-10001': 'VPS-10001', list: 'VPS' } as const;
const commandCount = 100;
/** First, and within the quota of one minute: each reads the VPS twice before its call. */
const rebootCount = 10;

/**
 * Measures one person at a time over Socket Mode: from a typed command to its answer, and from a click on
 * Reboot until the hosting service has the call. The times include those of the sandbox, a few ms.
 */
export async function benchCommands(): Promise<void> {
  buildBundle();
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));
  const hosting = await createHostingSandbox({ port: 0 });
  const sandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
  const program = await startProgram([programs.bundle], {
    SLACK_BOT_TOKEN: 'xoxb-sandbox-acme',
    SLACK_APP_TOKEN: 'xapp-sandbox',
    SLACK_API_URL: `${sandbox.url}/api/`,
    HOSTING_API_URL: hosting.url,
    HOSTING_API_KEY: 'sandbox-key-full',
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    DATABASE_URL: `sqlite:${join(directory, 'rackhand.db')}`,
    PORT: '0',
  });
  const slack = createSlackDriver(sandbox.url);
  const service = createHostingDriver(hosting.url);
  const rows: string[][] = [];
  const report = (label: string, times: readonly number[], cpuMs: number) =>
    rows.push([
      label,
      String(times.length),
      percentile(times, 0.5).toFixed(0),
      percentile(times, 0.99).toFixed(0),
      (cpuMs / times.length).toFixed(1),
    ]);

  const rebootTimes: number[] = [];
  const cpuBeforeMs = program.cpuMs();
  for (let index = 0; index < rebootCount; index += 1) {
    const vps = `VPS-${10_001 + index}`;
    await slack.slash(`reboot ${vps}`);
    const card = await slack.message(vps);
    const clickedMs = Date.now();
    await slack.click(card, 'Reboot');
    await slack.untilSeen(async () => {
      const call = (await service.changes()).find(({ path }) => path.includes(vps));
      if (!call) throw new Error(`no call for ${vps}`);
      rebootTimes.push(call.at - clickedMs);
    });
  }
  report('click on Reboot: to the call', rebootTimes, program.cpuMs() - cpuBeforeMs);
  for (const [command, answer] of Object.entries(commands)) {
    const times: number[] = [];
    const cpuBeforeMs = program.cpuMs();
    for (let index = 0; index < commandCount; index += 1) {
      const startedMs = performance.now();
      await slack.slash(command);
      await slack.message(answer);
      times.push(performance.now() - startedMs);
    }
    report(`/vps ${command}: to the answer`, times, program.cpuMs() - cpuBeforeMs);
  }
  await program.kill();
  await sandbox.close();
  await hosting.close();
  rmSync(directory, { recursive: true });
  console.log('\nOne request at a time, over Socket Mode');
  printTable(['', 'times', 'p50, ms', 'p99, ms', 'CPU each, ms'], rows);
}
