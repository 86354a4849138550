import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pino from 'pino';
import { z } from 'zod';
import { createStack, type StackOptions } from '../../../src/sandbox/stack.ts';
import { manifestPath, serviceControl, slackControl } from '../../stack.ts';

const loggedCall = z.looseObject({ id: z.number(), method: z.string(), path: z.string() });

const exchange = z.looseObject({ kind: z.string(), refused: z.string().optional(), payload: z.unknown() });

interface StageOptions extends Partial<Pick<StackOptions, 'encryptionKey' | 'hosting'>> {
  readonly logLevel?: 'debug' | 'trace';
}

/** Starts everything as `npm run sandbox` does, and looks behind the scenes: at the log, the database and the wire. */
export async function startStage({ logLevel = 'debug', ...options }: StageOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'rackhand-stage-'));
  const file = join(folder, 'stage.db');
  const logged: string[] = [];
  const stack = await createStack({
    hosting: { port: 0 },
    slack: { port: 0, manifest: manifestPath },
    databaseUrl: `sqlite:${file}`,
    log: pino({ level: logLevel }, { write: (line) => void logged.push(line) }),
    ...options,
  });
  const { hosting, slack } = stack;

  async function look(url: string): Promise<unknown> {
    return (await fetch(url)).json();
  }

  return {
    /** Where the app's server is: health, metrics, and the pages that install it. */
    serverUrl: stack.app.url,
    slack: slackControl(slack.url),
    service: serviceControl(hosting.url),

    /** Calls the hosting service as somebody else would who has a key. */
    async api(method: string, path: string, body?: unknown): Promise<unknown> {
      const response = await fetch(`${hosting.url}${path}`, {
        method,
        headers: { authorization: 'Bearer sandbox-key-full', 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
      return z.object({ data: z.unknown() }).parse(await response.json()).data;
    },

    /** What the service has answered to its calls, as text, as far as it remembers. */
    async answers(): Promise<readonly string[]> {
      const { calls } = z
        .object({ calls: z.array(loggedCall) })
        .parse(await look(`${hosting.url}/sandbox/overview`));
      const answers = calls.map(async ({ id }) =>
        z
          .object({ call: z.looseObject({ answer: z.string().optional() }) })
          .parse(await look(`${hosting.url}/sandbox/calls/${id}`)),
      );
      return (await Promise.all(answers)).flatMap(({ call }) => call.answer ?? []);
    },

    /** What the service answered to its newest call of a method and a path, as text. */
    async answerTo(method: string, path: string | RegExp): Promise<string> {
      const { calls } = z
        .object({ calls: z.array(loggedCall) })
        .parse(await look(`${hosting.url}/sandbox/overview`));
      const call = calls.findLast((one) => one.method === method && matches(one.path, path));
      const { answer } = z
        .object({ call: z.looseObject({ answer: z.string() }) })
        .parse(await look(`${hosting.url}/sandbox/calls/${call?.id}`)).call;
      return answer;
    },

    /** What went between Slack and the app. */
    async traffic() {
      return z.object({ traffic: z.array(exchange) }).parse(await look(`${slack.url}/sandbox/traffic`))
        .traffic;
    },

    /** Everything that the app has logged. */
    log: () => logged.join(''),

    /** Everything that stands in the database, row by row. */
    rows(): string {
      const copy = join(folder, 'copy.db');
      for (const suffix of ['', '-wal']) {
        if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
      }
      const database = new DatabaseSync(copy);
      const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
      const rows = tables.flatMap(({ name }) => database.prepare(`select * from "${name}"`).all());
      database.close();
      return JSON.stringify(rows);
    },

    /** Every byte of the files of the database, also of what was deleted. */
    bytes: () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name)))),

    async close(): Promise<void> {
      await stack.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Stage = Awaited<ReturnType<typeof startStage>>;

/** Tells whether a path is the expected one. */
export function matches(path: string, expected: string | RegExp): boolean {
  return typeof expected === 'string' ? path === expected : expected.test(path);
}
