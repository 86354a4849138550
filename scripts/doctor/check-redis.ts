import { Redis } from 'ioredis';
import type { Config } from '../../src/config.ts';
import { sqliteFileOf } from '../../src/db/engines/database.ts';
import type { CheckLine } from './check-line.ts';

const check = 'Redis';
const timeoutMs = 5_000;
const minVersion = 5;

/** Checks that Redis answers and persists its data, because the quota depends on it. */
export async function* checkRedis({ redisUrl, databaseUrl }: Config): AsyncGenerator<CheckLine> {
  if (redisUrl === undefined) {
    yield sqliteFileOf(databaseUrl) === undefined
      ? {
          check,
          status: 'warning',
          message:
            'REDIS_URL is not set, so only one process can use the database. Set it before you start another.',
        }
      : { check, status: 'OK', message: 'One process on SQLite needs no Redis.' };
    return;
  }
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => {});
  try {
    await redis.connect();
    yield* describe(parseInfo(await redis.info()));
  } catch {
    // The error could contain the URL, including its password.
    yield { check, status: 'error', message: "Redis doesn't answer. Check REDIS_URL and the network." };
  } finally {
    redis.disconnect();
  }
}

/** Parses the lines `name:value` of Redis' INFO. */
function parseInfo(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]));
}

function* describe(info: ReadonlyMap<string, string>): Generator<CheckLine> {
  const version = info.get('redis_version') ?? 'not shown';
  if (info.get('cluster_enabled') === '1') {
    yield { check, status: 'error', message: 'Redis is a cluster. Use a single server.' };
  } else if (Number.parseInt(version, 10) < minVersion) {
    yield {
      check,
      status: 'error',
      message: `Redis ${version} is too old. Use version ${minVersion} or later.`,
    };
  } else yield { check, status: 'OK', message: `Redis ${version} answers.` };

  yield info.get('aof_enabled') === '1'
    ? { check: 'Redis AOF', status: 'OK', message: 'Redis keeps its data in an append-only file.' }
    : {
        check: 'Redis AOF',
        status: 'warning',
        message:
          'Redis has no append-only file. After its restart, nothing is sent for 93 s. Start it with --appendonly yes.',
      };
  const policy = info.get('maxmemory_policy') ?? 'not shown';
  yield info.get('maxmemory') === '0' || policy === 'noeviction'
    ? { check: 'Redis eviction', status: 'OK', message: 'Redis deletes nothing when its memory is full.' }
    : {
        check: 'Redis eviction',
        status: 'error',
        message: `Redis deletes data when its memory is full (${policy}). Start it with --maxmemory-policy noeviction.`,
      };
}
