import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chown, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import pg from 'pg';
import { findFreePort } from './find-free-port.ts';

export interface PostgresServer {
  readonly url: string;
  /** Stops the server at once, as a crash does. Its data stays. */
  halt(): Promise<void>;
  /** Starts the server again. */
  resume(): Promise<void>;
  /** Stops the server and deletes its directory. */
  stop(): Promise<void>;
}

export interface TestDatabase {
  readonly url: string;
  /** Deletes the database. */
  stop(): Promise<void>;
}

let shared: Promise<PostgresServer> | undefined;
let databases = 0;

/**
 * Creates an empty database on the PostgreSQL server that this process shares and that ends with
 * the process.
 */
export async function createPostgresDatabase(): Promise<TestDatabase> {
  shared ??= startPostgres();
  const server = await shared;
  databases += 1;
  const name = `test_${databases}`;
  await runStatement(server.url, `create database ${name}`);
  return {
    url: server.url.replace(/postgres$/, name),
    stop: () => runStatement(server.url, `drop database ${name} with (force)`),
  };
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statement);
  await client.end();
}

/**
 * Runs the program given as arguments until its input ends, which also happens when this process is
 * killed. Then deletes its directory.
 */
const runUntilInputEnds = '"$@" & cat > /dev/null; kill -INT $!; wait $!; cd /; rm -rf "$0"';

/** Starts a real PostgreSQL on a free port of 127.0.0.1. It has its own directory and an empty database. */
export async function startPostgres(): Promise<PostgresServer> {
  const directory = await mkdtemp(join(tmpdir(), 'rackhand-postgres-'));
  const user = await findUnprivilegedUser(directory);
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
  execFileSync(findProgram('initdb'), initialise, { ...user, cwd: directory, stdio: 'pipe' });

  const port = await findFreePort();
  const settings = ['listen_addresses=127.0.0.1', 'fsync=off', `unix_socket_directories=${directory}`];
  const options = ['-p', `${port}`, ...settings.flatMap((setting) => ['-c', setting])];
  const server = spawn(
    'sh',
    ['-c', runUntilInputEnds, directory, findProgram('postgres'), '-D', data, ...options],
    { ...user, cwd: directory, stdio: ['pipe', 'ignore', 'pipe'] },
  );
  await waitUntilReady(server.stderr);
  server.stderr.resume();

  const control = async (...command: readonly string[]) => {
    const child = spawn(findProgram('pg_ctl'), ['-D', data, '-w', ...command], {
      ...user,
      cwd: directory,
      stdio: 'ignore',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`pg_ctl ${command.join(' ')} ended with ${code}`);
  };
  let isResumed = false;
  return {
    url: `postgres://rackhand@127.0.0.1:${port}/postgres`,
    halt: () => control('stop', '-m', 'immediate'),
    async resume() {
      await control('start', '-l', join(directory, 'log'), '-o', options.join(' '));
      isResumed = true;
    },
    async stop() {
      if (isResumed) await control('stop', '-m', 'immediate');
      server.stdin.end();
      await once(server, 'exit');
    },
  };
}

async function waitUntilReady(output: Readable): Promise<void> {
  const said: string[] = [];
  for await (const line of createInterface(output)) {
    said.push(line);
    if (line.includes('ready to accept connections')) return;
  }
  throw new Error(`PostgreSQL ended before it was ready:\n${said.join('\n')}`);
}

/**
 * Returns the user `postgres` if this process runs as root, because PostgreSQL refuses to run as
 * root. Makes that user the owner of the directory.
 */
async function findUnprivilegedUser(directory: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const user = { uid: id('-u'), gid: id('-g') };
  await chown(directory, user.uid, user.gid);
  return user;
}

/** Finds one of the server's programs, which Debian doesn't put on the path. */
function findProgram(name: string): string {
  return globSync(`/usr/lib/postgresql/*/bin/${name}`).sort().at(-1) ?? name;
}
