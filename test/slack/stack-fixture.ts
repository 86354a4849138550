import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pino from 'pino';
import { z } from 'zod';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { type StackOptions, startStack } from '../stack.ts';

const loggedCall = z.looseObject({ id: z.number(), method: z.string(), path: z.string() });

const exchange = z.looseObject({
  id: z.number(),
  kind: z.string(),
  direction: z.string(),
  refused: z.string().optional(),
  payload: z.unknown(),
  answer: z.unknown(),
});

/** Starts a stack, and gives access to the log, the database and the traffic. */
export async function startStackFixture({
  logLevel = 'debug',
  ...options
}: StackOptions & { readonly logLevel?: 'debug' | 'trace' } = {}) {
  const folder = makeScratchDirectory('stack');
  const file = join(folder, 'stage.db');
  const logged: string[] = [];
  const stack = await startStack({
    databaseUrl: `sqlite:${file}`,
    log: pino({ level: logLevel }, { write: (line) => void logged.push(line) }),
    ...options,
  });
  const { slack, service } = stack;
  let lastExchangeId = 0;
  let lastLogged = 0;

  async function fetchJson(url: string): Promise<unknown> {
    return (await fetch(url)).json();
  }

  async function listTraffic() {
    const answer = await fetchJson(`${slack.url}/sandbox/traffic?after=${lastExchangeId}`);
    return z.object({ traffic: z.array(exchange) }).parse(answer).traffic;
  }

  async function listCalls() {
    const answer = await fetchJson(`${service.url}/sandbox/overview`);
    return z.object({ calls: z.array(loggedCall) }).parse(answer).calls;
  }

  /** Returns the text of the service's response to a call, or nothing if it hasn't answered yet. */
  async function readAnswer(id: number | undefined): Promise<string | undefined> {
    const answer = await fetchJson(`${service.url}/sandbox/calls/${id}`);
    const { call } = z.object({ call: z.looseObject({ answer: z.string().nullish() }) }).parse(answer);
    return call.answer ?? undefined;
  }

  /** Opens a copy of the database, because the app holds a lock on the file. */
  function openCopy(): DatabaseSync {
    const copy = join(folder, 'copy.db');
    for (const suffix of ['', '-wal']) {
      rmSync(copy + suffix, { force: true });
      if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
    }
    return new DatabaseSync(copy);
  }

  return {
    ...stack,

    /** Returns the texts of the service's responses that it has kept. */
    answers: async () =>
      (await Promise.all((await listCalls()).map(({ id }) => readAnswer(id)))).flatMap((text) => text ?? []),

    /** Returns the text of the service's latest response to a method and path. */
    async answerTo(method: string, path: string | RegExp): Promise<string> {
      const call = (await listCalls()).findLast((one) => one.method === method && matches(one.path, path));
      const answer = await readAnswer(call?.id);
      if (answer === undefined) throw new Error(`nothing was answered to ${method} ${path}`);
      return answer;
    },

    /**
     * Brings the account at the hosting service back into its first state. `traffic` and `newLog` begin anew
     * too.
     */
    async startAnew(): Promise<void> {
      await service.reset();
      lastExchangeId = (await listTraffic()).at(-1)?.id ?? lastExchangeId;
      lastLogged = logged.length;
    },

    /** Returns the requests between Slack and the app. */
    traffic: listTraffic,

    /** Returns everything that the app has logged. */
    log: () => logged.join(''),
    newLog: () => logged.slice(lastLogged).join(''),

    /** Returns all rows of the database. */
    rows(): string {
      const copy = openCopy();
      const tables = copy.prepare("select name from sqlite_schema where type = 'table'").all();
      const rows = tables.flatMap(({ name }) => copy.prepare(`select * from "${name}"`).all());
      copy.close();
      return JSON.stringify(rows);
    },

    query(statement: string) {
      const copy = openCopy();
      const rows = copy.prepare(statement).all();
      copy.close();
      return rows;
    },

    /** Returns all bytes of the database files, including deleted data. */
    bytes: () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name)))),
  };
}

export type StackFixture = Awaited<ReturnType<typeof startStackFixture>>;

/** Returns whether a path matches. */
export function matches(path: string, expected: string | RegExp): boolean {
  return typeof expected === 'string' ? path === expected : expected.test(path);
}
