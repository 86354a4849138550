import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { freePort } from './free-port.ts';

export interface PostgresServer {
  readonly url: string;
  /** Ends it and deletes its directory. */
  stop(): Promise<void>;
}

/** Starts a real PostgreSQL on a free port of 127.0.0.1, with a directory and an empty database of its own. */
export async function startPostgres(): Promise<PostgresServer> {
  const directory = await mkdtemp(join(tmpdir(), 'rackhand-postgres-'));
  const user = await ordinaryUser(directory);
  const data = join(directory, 'data');
  const initialise = [
    '-D',
    data,
    '-U',
    'rackhand',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ];
  execFileSync(program('initdb'), initialise, { ...user, cwd: directory, stdio: 'pipe' });

  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'fsync=off', `unix_socket_directories=${directory}`];
  const server = spawn(
    program('postgres'),
    ['-D', data, '-p', `${port}`, ...settings.flatMap((setting) => ['-c', setting])],
    { ...user, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const kill = () => void server.kill('SIGKILL');
  process.once('exit', kill);
  server.once('exit', () => process.off('exit', kill));
  await ready(server.stderr);
  server.stderr.resume();

  return {
    url: `postgres://rackhand@127.0.0.1:${port}/postgres`,
    async stop() {
      server.kill('SIGINT');
      await once(server, 'exit');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function ready(output: Readable): Promise<void> {
  const said: string[] = [];
  for await (const line of createInterface(output)) {
    said.push(line);
    if (line.includes('ready to accept connections')) return;
  }
  throw new Error(`PostgreSQL ended before it was ready:\n${said.join('\n')}`);
}

/** PostgreSQL refuses to run as root: as root, the directory and the processes are those of the user `postgres`. */
async function ordinaryUser(directory: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const user = { uid: id('-u'), gid: id('-g') };
  await chown(directory, user.uid, user.gid);
  return user;
}

/** Debian keeps the programs of the server off the path. */
function program(name: string): string {
  return globSync(`/usr/lib/postgresql/*/bin/${name}`).sort().at(-1) ?? name;
}
