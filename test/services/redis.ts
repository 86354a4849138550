import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from './find-free-port.ts';

export interface RedisServer {
  readonly url: string;
  /** Ends the server with SIGKILL, like a crash would. */
  kill(): Promise<void>;
  /** Starts the server again on the same port with its saved data. Without AOF, nothing was saved. */
  start(): Promise<void>;
  /** Stops the server with SIGSTOP. `unfreeze` continues it. */
  freeze(): void;
  unfreeze(): void;
  /** Stops the server and deletes its directory. */
  stop(): Promise<void>;
}

/**
 * Starts a real redis-server on a free port of 127.0.0.1 with its own directory. With `aof`, it
 * loses nothing when it is killed.
 */
export async function startRedis({ aof = false }: { aof?: boolean } = {}): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), 'rackhand-redis-'));
  const port = await findFreePort();
  let server = await spawnRedis(directory, port, aof);

  async function kill() {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    async start() {
      server = await spawnRedis(directory, port, aof);
    },
    freeze: () => void server.kill('SIGSTOP'),
    unfreeze: () => void server.kill('SIGCONT'),
    async stop() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Ends Redis when its input closes, which happens when the test's process ends or is killed. */
const killAtEndOfInput = 'cat > /dev/null; kill -KILL "$0"';

async function spawnRedis(directory: string, port: number, aof: boolean): Promise<ChildProcess> {
  const settings = ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', directory, '--save', ''];
  const server = spawn('redis-server', [...settings, '--appendonly', aof ? 'yes' : 'no'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const guard = spawn('sh', ['-c', killAtEndOfInput, String(server.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  server.once('exit', () => guard.kill('SIGKILL'));
  const failed = once(server, 'error').then(([error]) => {
    throw new Error('The tests of replicas need redis-server: install it ("apt-get install redis-server").', {
      cause: error,
    });
  });
  await Promise.race([waitUntilReady(server), failed]);
  return server;
}

async function waitUntilReady(server: ChildProcess): Promise<void> {
  if (!server.stdout) throw new Error('redis-server has no output');
  const said: string[] = [];
  for await (const line of createInterface(server.stdout)) {
    said.push(line);
    if (line.includes('Ready to accept connections')) return;
  }
  throw new Error(`redis-server ended before it was ready:\n${said.join('\n')}`);
}
