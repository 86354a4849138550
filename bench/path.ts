import { channel } from 'node:diagnostics_channel';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { createStack } from '../src/sandbox/stack.ts';
import { traceHandOvers } from './hand-overs.ts';
import { printTable } from './statistics.ts';

/** Functions that parse typed text, raw input or stored input. */
const parsers: ReadonlySet<string> = new Set(['parseCommand', 'parseInput', 'parseValidFields']);

const warmUps = 2;

const srcUrl = new URL('../src/', import.meta.url).href;
const manifest = fileURLToPath(new URL('../manifest.yml', import.meta.url));

/** The named functions of `src/` (without the sandbox) that ran in one phase, by file. */
interface Phase {
  readonly name: string;
  readonly files: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/**
 * Counts what runs for a confirmed `/vps reboot`: files, functions and parses, from the command to the
 * card, from the click to the bytes of the call, and from the bytes to the final message.
 */
export async function benchPath(): Promise<void> {
  const stack = await createStack({
    hosting: { port: 0 },
    slack: { port: 0, manifest, delivery: 'socket' },
    databaseUrl: 'sqlite::memory:',
    log: pino({ level: 'silent' }),
  });
  const coverage = await startCoverage();
  try {
    // The first runs load modules and fill caches.
    for (let run = 1; run <= warmUps; run += 1) await reboot(stack.slack.url, `VPS-1000${run}`, coverage);
    const phases = await reboot(stack.slack.url, `VPS-1000${warmUps + 1}`, coverage);
    print(phases);
    const files = await traceHandOvers(() => reboot(stack.slack.url, `VPS-1000${warmUps + 2}`, coverage));
    console.log(`\n${files.length - 1} hand-overs from click to bytes: ${files.join(' > ')}`);
  } finally {
    await coverage.stop();
    await stack.close();
  }
}

type Coverage = Awaited<ReturnType<typeof startCoverage>>;

/** Starts to count function calls. `take` returns the calls since it was last called. */
async function startCoverage() {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    async take(name: string): Promise<Phase> {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const ofApp = result.filter(
        ({ url }) => url.startsWith(srcUrl) && !url.startsWith(`${srcUrl}sandbox/`),
      );
      const files = new Map<string, Map<string, number>>();
      for (const { url, functions } of ofApp) {
        const calls = new Map<string, number>();
        for (const { functionName, ranges } of functions) {
          const count = ranges[0]?.count ?? 0;
          if (functionName !== '' && count > 0)
            calls.set(functionName, (calls.get(functionName) ?? 0) + count);
        }
        if (calls.size > 0) files.set(url.slice(srcUrl.length), calls);
      }
      return { name, files };
    },
    async stop() {
      await session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
}

/** Reboots a VPS as a person does, and returns what ran in each phase. */
async function reboot(slackUrl: string, vps: string, coverage: Coverage): Promise<readonly Phase[]> {
  await coverage.take('before');
  await act(slackUrl, 'slash', { command: '/vps', text: `reboot ${vps}` });
  const card = await message(slackUrl, (text) => text.includes(vps) && text.includes('Reboot'), true);
  const shown = await coverage.take('command to card');
  const sent = nextPost(() => coverage.take('click to bytes'));
  await act(slackUrl, 'click', { ts: card.ts, action_id: 'confirm' });
  const clicked = await sent;
  await message(slackUrl, (text) => text.includes(vps) && text.includes('In progress'), false);
  return [shown, clicked, await coverage.take('bytes to final message')];
}

/** Calls `work` when the bytes of the next POST to the hosting service are written. */
function nextPost<T>(work: () => Promise<T>): Promise<T> {
  const sent = channel('undici:client:sendHeaders');
  return new Promise((resolve, reject) => {
    const onSent = (event: unknown) => {
      const { request } = event as { request: { method: string; path: string } };
      if (request.method !== 'POST' || !request.path.endsWith('/action')) return;
      sent.unsubscribe(onSent);
      work().then(resolve, reject);
    };
    sent.subscribe(onSent);
  });
}

const person = { team: 'T0ACME', user: 'U0ALICE', channel: 'C0OPS' };

async function act(slackUrl: string, path: string, body: Record<string, unknown>): Promise<void> {
  const response = await fetch(`${slackUrl}/sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...person, ...body }),
  });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
}

interface SeenMessage {
  readonly ts: string;
  readonly text: string;
  readonly ephemeral?: boolean;
}

/** Waits until the person sees a message. */
async function message(
  slackUrl: string,
  matches: (text: string) => boolean,
  isEphemeral: boolean,
): Promise<SeenMessage> {
  for (const endMs = performance.now() + 20_000; performance.now() < endMs; ) {
    const response = await fetch(`${slackUrl}/sandbox/messages?${new URLSearchParams(person)}`);
    const { messages } = (await response.json()) as { messages: readonly SeenMessage[] };
    const found = messages.findLast(
      ({ text, ephemeral = false }) => ephemeral === isEphemeral && matches(text),
    );
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const response = await fetch(`${slackUrl}/sandbox/messages?${new URLSearchParams(person)}`);
  throw new Error(`the message did not arrive; there are: ${await response.text()}`);
}

function print(phases: readonly Phase[]): void {
  const whole: Phase = { name: 'in all', files: mergeFiles(phases) };
  printTable(
    ['a confirmed reboot', 'files', 'of these in runs/', 'functions', 'of these in runs/', 'parses'],
    [...phases, whole].map((phase) => [
      phase.name,
      String(phase.files.size),
      String(countFiles(phase, 'runs/')),
      String(countFunctions(phase, '')),
      String(countFunctions(phase, 'runs/')),
      String(countParses(phase)),
    ]),
  );
  if (process.env.BENCH_DETAILS === undefined) return;
  for (const { name, files } of phases) {
    console.log(`\n${name}`);
    for (const [file, calls] of [...files].sort())
      console.log(`  ${file}: ${[...calls].map(([called, count]) => `${called} ${count}`).join(', ')}`);
  }
}

function mergeFiles(phases: readonly Phase[]): Phase['files'] {
  const merged = new Map<string, Map<string, number>>();
  for (const { files } of phases)
    for (const [file, calls] of files) {
      const sum = merged.get(file) ?? new Map<string, number>();
      for (const [name, count] of calls) sum.set(name, (sum.get(name) ?? 0) + count);
      merged.set(file, sum);
    }
  return merged;
}

function countFiles({ files }: Phase, folder: string): number {
  return [...files.keys()].filter((file) => file.startsWith(folder)).length;
}

function countFunctions({ files }: Phase, folder: string): number {
  return [...files].reduce((sum, [file, calls]) => sum + (file.startsWith(folder) ? calls.size : 0), 0);
}

function countParses({ files }: Phase): number {
  const counts = [...files.values()].flatMap((calls) =>
    [...calls].map(([name, count]) => (parsers.has(name) ? count : 0)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
