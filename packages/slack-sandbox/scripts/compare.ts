import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Measures the built package beside another local Slack, in turn, in one run: the start of the command,
 * memory when idle, size on disk, and one isolated test. Needs the package registry, `npm run build`,
 * and Linux. Prints a table for the README.
 */

const starts = 15;
const worlds = 40;
const idleMs = 1500;
const peer = 'emulate@0.12.2';
const dist = fileURLToPath(new URL('../dist', import.meta.url));
const manifest = JSON.stringify({
  display_information: { name: 'Compared' },
  features: { bot_user: { display_name: 'Compared' } },
  oauth_config: { scopes: { bot: ['chat:write'] } },
});

interface Candidate {
  readonly name: string;
  readonly folder: string;
  command(port: number): readonly string[];
  /** Starts a world, posts a message, and closes the world. */
  world(port: number): Promise<void>;
}

interface Emulator {
  readonly url: string;
  close(): Promise<unknown>;
}

if (!existsSync(join(dist, 'cli.js'))) throw new Error('Build the package first: npm run build');
const folder = await mkdtemp(join(tmpdir(), 'compare-'));
try {
  const [ours, theirs] = ['ours', 'theirs'].map((name) => join(folder, name)) as [string, string];
  install(ours, dist);
  install(theirs, peer);
  await writeFile(join(folder, 'manifest.json'), manifest);
  const candidates = [await findSandbox(ours), await findPeer(theirs)];
  const results = candidates.map(() => ({
    startMs: [] as number[],
    idleMiB: [] as number[],
    worldMs: [] as number[],
  }));
  for (let round = 0; round < starts; round += 1) {
    for (const [index, candidate] of candidates.entries()) {
      const { ms, mib } = await measureStart(candidate);
      results[index]?.startMs.push(ms);
      results[index]?.idleMiB.push(mib);
    }
  }
  for (let round = 0; round < worlds; round += 1) {
    for (const [index, { world }] of candidates.entries()) {
      const port = await findFreePort();
      const begin = performance.now();
      await world(port);
      results[index]?.worldMs.push(performance.now() - begin);
    }
  }
  console.log(
    `| | ${candidates.map(({ name }) => name).join(' | ')} |\n|---|${candidates.map(() => '---|').join('')}`,
  );
  print('start until the first answer, ms (median, slowest)', ({ startMs }) => show(startMs, 0, 1));
  print('memory when idle, MiB', ({ idleMiB }) => show(idleMiB, 0));
  print('one isolated test, ms (median, 90 %)', ({ worldMs }) => show(worldMs, 1, 0.9));
  console.log(
    `| installed, MB | ${candidates.map(({ folder: at }) => (sizeOf(at) / 1e6).toFixed(1)).join(' | ')} |`,
  );

  function print(what: string, format: (result: (typeof results)[number]) => string) {
    console.log(`| ${what} | ${results.map(format).join(' | ')} |`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);

function install(prefix: string, spec: string): void {
  execFileSync('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--install-links', spec], {
    stdio: 'ignore',
  });
}

async function findSandbox(at: string): Promise<Candidate> {
  const root = join(at, 'node_modules/slack-sandbox');
  const { startSlack } = await import(pathToFileURL(join(root, 'test.js')).href);
  const path = join(folder, 'manifest.json');
  return {
    name: 'slack-sandbox',
    folder: join(at, 'node_modules'),
    command: (port) => [join(root, 'cli.js'), '--manifest', path, '--port', String(port)],
    async world() {
      const slack = await startSlack({ manifest: path });
      await post(slack.env.SLACK_API_URL, slack.env.SLACK_BOT_TOKEN, 'C0OPS');
      await slack.close();
    },
  };
}

async function findPeer(at: string): Promise<Candidate> {
  const root = join(at, 'node_modules/emulate/dist');
  const { createEmulator } = await import(pathToFileURL(join(root, 'api.js')).href);
  const name = 'compared';
  return {
    name: peer,
    folder: join(at, 'node_modules'),
    command: (port) => [join(root, 'index.js'), 'start', '--service', 'slack', '--port', String(port)],
    async world(port) {
      const seed = { slack: { channels: [{ name }], tokens: [{ token: 'xoxb-compared', user: 'admin' }] } };
      const emulator: Emulator = await createEmulator({ service: 'slack', port, seed });
      await post(`${emulator.url}/api/`, 'xoxb-compared', name);
      await emulator.close();
    },
  };
}

async function post(api: string, token: string, channel: string): Promise<void> {
  const response = await fetch(`${api}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ channel, text: 'hi' }),
  });
  const answer: { readonly ok?: boolean } = JSON.parse(await response.text());
  if (!answer.ok) throw new Error(`${api}: ${JSON.stringify(answer)}`);
}

/** Starts the command in a process of its own, and returns when it answered, and its memory afterwards. */
async function measureStart({ command }: Candidate): Promise<{ ms: number; mib: number }> {
  const port = await findFreePort();
  const begin = performance.now();
  const child = spawn(process.execPath, command(port), { cwd: folder, stdio: 'ignore' });
  try {
    while (!(await answers(`http://127.0.0.1:${port}/api/api.test`))) await sleep(2);
    const ms = performance.now() - begin;
    await sleep(idleMs);
    const kib = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]);
    return { ms, mib: kib / 1024 };
  } finally {
    child.kill('SIGKILL');
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url, { method: 'POST' })).text();
    return true;
  } catch {
    return false;
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no free port');
  return address.port;
}

/** Formats the median, and the value below which another share of the values is. */
function show(values: readonly number[], digits: number, share?: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) =>
    (sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0).toFixed(digits);
  return share === undefined ? at(0.5) : `${at(0.5)}, ${at(share)}`;
}

function sizeOf(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((total, entry) => total + statSync(join(entry.parentPath, entry.name)).size, 0);
}
