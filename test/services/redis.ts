import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';

export interface RedisServer {
  readonly url: string;
  /** Ends it with SIGKILL, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with what it has kept: nothing without AOF. */
  start(): Promise<void>;
  /** Stops it (SIGSTOP), or lets it go on. */
  freeze(): void;
  thaw(): void;
  /** Ends it and deletes its directory. */
  stop(): Promise<void>;
}

/** Starts a real redis-server on a free port of 127.0.0.1 with a directory of its own. With `aof` it loses nothing when killed. */
export async function startRedis({ aof = false }: { aof?: boolean } = {}): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), 'rackhand-redis-'));
  const port = await freePort();
  let server = await launch(directory, port, aof);

  async function kill() {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    async start() {
      server = await launch(directory, port, aof);
    },
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    async stop() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function launch(directory: string, port: number, aof: boolean): Promise<ChildProcess> {
  const settings = ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', directory, '--save', ''];
  const server = spawn('redis-server', [...settings, '--appendonly', aof ? 'yes' : 'no'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => void server.kill('SIGKILL');
  process.once('exit', kill);
  server.once('exit', () => process.off('exit', kill));
  const failed = once(server, 'error').then(([error]) => {
    throw new Error('The tests of replicas need redis-server: install it ("apt-get install redis-server").', {
      cause: error,
    });
  });
  await Promise.race([ready(server), failed]);
  return server;
}

async function ready(server: ChildProcess): Promise<void> {
  if (!server.stdout) throw new Error('redis-server has no output');
  const said: string[] = [];
  for await (const line of createInterface(server.stdout)) {
    said.push(line);
    if (line.includes('Ready to accept connections')) return;
  }
  throw new Error(`redis-server ended before it was ready:\n${said.join('\n')}`);
}
