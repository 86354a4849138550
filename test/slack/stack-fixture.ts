import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pino from 'pino';
import { z } from 'zod';
import { openDatabase } from '../../src/db/engines/database.ts';
import { createStack, type StackOptions } from '../../src/sandbox/stack.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { findFreePort } from '../services/find-free-port.ts';
import { createHostingDriver, createSlackDriver, manifestPath, noWorkingNoticeMs } from '../stack.ts';

const loggedCall = z.looseObject({ id: z.number(), method: z.string(), path: z.string() });

const exchange = z.looseObject({
  id: z.number(),
  kind: z.string(),
  direction: z.string(),
  refused: z.string().optional(),
  payload: z.unknown(),
  answer: z.unknown(),
});

interface StackFixtureOptions
  extends Partial<Pick<StackOptions, 'clock' | 'encryptionKey' | 'grants' | 'hosting' | 'otlpEndpoint'>> {
  readonly logLevel?: 'debug' | 'trace';
  readonly delivery?: 'socket' | 'http';
}

let migratedDatabase: Promise<Buffer> | undefined;

/** Returns the bytes of an empty database file with the newest schema, which is migrated once. */
function createMigratedDatabase(): Promise<Buffer> {
  migratedDatabase ??= (async () => {
    const folder = makeScratchDirectory('migrated');
    const file = join(folder, 'migrated.db');
    await (await openDatabase(`sqlite:${file}`)).close();
    const bytes = readFileSync(file);
    rmSync(folder, { recursive: true });
    return bytes;
  })();
  return migratedDatabase;
}

/**
 * Starts what `npm run sandbox` starts, and gives access to the log, the database and the traffic.
 */
export async function startStackFixture({
  logLevel = 'debug',
  delivery = 'socket',
  ...options
}: StackFixtureOptions = {}) {
  const appUrl = `http://127.0.0.1:${await findFreePort()}/slack/events`;
  const folder = makeScratchDirectory('stack');
  const file = join(folder, 'stage.db');
  writeFileSync(file, await createMigratedDatabase());
  const logged: string[] = [];
  const stack = await createStack({
    hosting: { port: 0 },
    slack: { port: 0, manifest: manifestPath, delivery: delivery === 'http' ? `http:${appUrl}` : delivery },
    databaseUrl: `sqlite:${file}`,
    log: pino({ level: logLevel }, { write: (line) => void logged.push(line) }),
    // Tests see what they change outside Rackhand.
    sharedReadMs: 0,
    workingNoticeMs: noWorkingNoticeMs,
    ignoreClicksMs: 0,
    ...options,
  });
  const { hosting, slack } = stack;

  const service = createHostingDriver(hosting.url);
  let lastExchangeId = 0;

  async function fetchJson(url: string): Promise<unknown> {
    return (await fetch(url)).json();
  }

  async function listTraffic() {
    const answer = await fetchJson(`${slack.url}/sandbox/traffic?after=${lastExchangeId}`);
    return z.object({ traffic: z.array(exchange) }).parse(answer).traffic;
  }

  let stopped: Promise<void> | undefined;
  const finish = () => {
    stopped ??= stack.app.stop();
    return stopped;
  };

  /** Returns rows of a copy of the database, because the app holds a lock on the file. */
  function query(statement: string) {
    const copy = join(folder, 'copy.db');
    for (const suffix of ['', '-wal']) {
      rmSync(copy + suffix, { force: true });
      if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
    }
    const database = new DatabaseSync(copy);
    const rows = database.prepare(statement).all();
    database.close();
    return rows;
  }

  return {
    /** URL of the app's server: health checks, metrics and install pages. */
    serverUrl: stack.app.url,
    /** Where Slack delivers over HTTP. */
    appUrl,
    slack: createSlackDriver(slack.url),
    service,

    /** Calls the hosting service with the API key, without the app. */
    async api(method: string, path: string, body?: unknown): Promise<unknown> {
      const response = await fetch(`${hosting.url}${path}`, {
        method,
        headers: { authorization: 'Bearer sandbox-key-full', 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
      return z.object({ data: z.unknown() }).parse(await response.json()).data;
    },

    /** Returns the texts of the service's responses that it has kept. */
    async answers(): Promise<readonly string[]> {
      const { calls } = z
        .object({ calls: z.array(loggedCall) })
        .parse(await fetchJson(`${hosting.url}/sandbox/overview`));
      // The answer of a call in flight, such as one in the background, is null.
      const answers = calls.map(async ({ id }) =>
        z
          .object({ call: z.looseObject({ answer: z.string().nullish() }) })
          .parse(await fetchJson(`${hosting.url}/sandbox/calls/${id}`)),
      );
      return (await Promise.all(answers)).flatMap(({ call }) => call.answer ?? []);
    },

    /** Returns the text of the service's latest response to a method and path. */
    async answerTo(method: string, path: string | RegExp): Promise<string> {
      const { calls } = z
        .object({ calls: z.array(loggedCall) })
        .parse(await fetchJson(`${hosting.url}/sandbox/overview`));
      const call = calls.findLast((one) => one.method === method && matches(one.path, path));
      const { answer } = z
        .object({ call: z.looseObject({ answer: z.string() }) })
        .parse(await fetchJson(`${hosting.url}/sandbox/calls/${call?.id}`)).call;
      return answer;
    },

    /** Brings the account at the hosting service back into its first state. `traffic` begins anew too. */
    async startAnew(): Promise<void> {
      await service.reset();
      lastExchangeId = (await listTraffic()).at(-1)?.id ?? lastExchangeId;
    },

    /** Returns the requests between Slack and the app. */
    traffic: listTraffic,

    /** Returns everything that the app has logged. */
    log: () => logged.join(''),

    /** Returns all rows of the database. */
    rows(): string {
      const tables = query("select name from sqlite_schema where type = 'table'");
      return JSON.stringify(tables.flatMap(({ name }) => query(`select * from "${name}"`)));
    },

    query,

    /** Stops the app once all its work is done. */
    finish,

    /** Returns all bytes of the database files, including deleted data. */
    bytes: () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name)))),

    async close(): Promise<void> {
      await finish();
      await slack.close();
      await hosting.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type StackFixture = Awaited<ReturnType<typeof startStackFixture>>;

/** Returns whether a path matches. */
export function matches(path: string, expected: string | RegExp): boolean {
  return typeof expected === 'string' ? path === expected : expected.test(path);
}
