import { fork, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createHostingSandbox } from '../src/sandbox/hosting/sandbox.ts';
import { findFreePort } from '../test/services/find-free-port.ts';

/** A process that serves slash commands over signed HTTP. */
interface MeasuredApp {
  readonly port: number;
  readonly readyMs: number;
  /** CPU time that the process has used so far, in ms. */
  cpuMs(): number;
  residentMb(): number;
  kill(): Promise<void>;
}

/** The servers that a measured app talks to: a hosting service, and one that plays Slack. */
export interface BenchEnvironment {
  /** The URL for responses to one command. The ID comes back in `onResponse`. */
  responseUrl(id: string): string;
  /** Starts a program with flags of Node.js, and with more arguments than those of every app. */
  start(program: string, flags?: readonly string[], more?: readonly string[]): Promise<MeasuredApp>;
  /** Starts a process that keeps the disk of the databases busy. Resolves to a function that ends it. */
  startDiskWriter(): Promise<() => Promise<unknown>>;
  close(): Promise<void>;
}

/** A message that an app sent to a response URL. */
export interface CommandResponse {
  /** ID of the command. */
  readonly id: string;
  readonly body: string;
  /** When it began to arrive, by `performance.now()`. */
  readonly atMs: number;
}

/** Starts the environment. `onResponse` is called for each response to a command. */
export async function startBenchEnvironment(
  onResponse: (response: CommandResponse) => void,
): Promise<BenchEnvironment> {
  const hosting = await createHostingSandbox({ port: 0, quota: 50 });
  const slack = createServer(async (request, response) => {
    const atMs = performance.now();
    const body = Buffer.concat(await request.toArray()).toString();
    const [, id] = /^\/respond\/(.+)$/.exec(request.url ?? '') ?? [];
    if (id !== undefined) onResponse({ id, body, atMs });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(request.url, body)));
  }).listen(0, '127.0.0.1');
  await once(slack, 'listening');
  const address = slack.address();
  const slackUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));
  let count = 0;

  return {
    responseUrl: (id) => `${slackUrl}/respond/${id}`,

    async start(program, flags = [], more = []) {
      count += 1;
      const port = await findFreePort();
      const startedMs = performance.now();
      const database = `sqlite:${join(directory, `${count}.db`)}`;
      const args = [...flags, program, `${port}`, hosting.url, slackUrl, database, ...more];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      for await (const line of createInterface(child.stdout)) if (line === 'ready') break;
      return {
        port,
        readyMs: performance.now() - startedMs,
        cpuMs: () => readCpuMs(child.pid ?? 0),
        residentMb: () => readResidentMb(child.pid ?? 0),
        async kill() {
          child.kill('SIGKILL');
          await once(child, 'exit');
        },
      };
    },

    async startDiskWriter() {
      const program = new URL('disk-writer.ts', import.meta.url).pathname;
      const child = fork(program, [join(directory, 'disk-writer')], {
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      });
      if (child.stdout) await once(child.stdout, 'data');
      return async () => {
        child.kill('SIGKILL');
        await once(child, 'exit');
      };
    },

    async close() {
      await hosting.close();
      slack.close();
      rmSync(directory, { recursive: true });
    },
  };
}

/** Answers a method of Slack. Everybody is an admin of the workspace. */
function answer(url: string | undefined, body: string): object {
  if (url !== '/api/users.info') return { ok: true };
  const id = new URLSearchParams(body).get('user');
  return { ok: true, user: { id, team_id: 'T0ACME', name: 'alice', is_admin: true, profile: {} } };
}

/** Returns the body and headers of a slash command, as Slack signs it. */
export function signSlashCommand(
  text: string,
  {
    id,
    responseUrl,
    teamId = 'T0ACME',
    userId = 'U0ALICE',
  }: { id: string; responseUrl: string; teamId?: string; userId?: string },
) {
  const body = new URLSearchParams({
    team_id: teamId,
    channel_id: 'C0OPS',
    user_id: userId,
    command: '/vps',
    text,
    response_url: responseUrl,
    trigger_id: id,
  }).toString();
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', 'sandbox-signing-secret')
    .update(`v0:${timestamp}:${body}`)
    .digest('hex');
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': `${timestamp}`,
    'x-slack-signature': `v0=${signature}`,
  };
  return { body, headers };
}

/** Returns the flags that `npm start` passes to Node. */
export function readStartFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const [, ...args] = String(scripts.start).split(' ');
  return args.slice(0, -1);
}

/** Linux counts CPU time in ticks of 10 ms. */
const msPerTick = 10;

export function readCpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the process is in parentheses and can contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

export function readResidentMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
