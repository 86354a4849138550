import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pino from 'pino';
import { createStack } from '../../../src/sandbox/stack.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { findFreePort } from '../../services/find-free-port.ts';
import { createHostingDriver, createSlackDriver, manifestPath, noWorkingNoticeMs } from '../../stack.ts';

/** Everything that Rackhand stores about the workspace. Only Alice's runs are included. */
const queries: Readonly<Record<string, string>> = {
  grants: 'select * from access_grant order by grantee, pattern',
  limits: 'select * from channel_limit order by channel',
  approvals: 'select * from approval_rule order by id',
  asks: 'select id, decision from ask order by id',
  keys: 'select team_id, fingerprint, quota, connected_by from api_key order by team_id',
  secrets: 'select id from one_time_secret order by id',
  runs: "select id, operation, status, approved_by from run where user_id = 'U0ALICE' order by id",
};

/** Starts everything over HTTP, so that tests can deliver payloads to the app and read its database. */
export async function startHarness() {
  const folder = makeScratchDirectory('isolation');
  const file = join(folder, 'app.db');
  const appUrl = `http://127.0.0.1:${await findFreePort()}/slack/events`;
  const { slack, hosting, app } = await createStack({
    hosting: { port: 0, vpsCount: 60 },
    slack: { port: 0, manifest: manifestPath, delivery: `http:${appUrl}` },
    databaseUrl: `sqlite:${file}`,
    workingNoticeMs: noWorkingNoticeMs,
    ignoreClicksMs: 0,
    grants: [{ grantee: 'U0CAROL', right: 'view', pattern: '*' }],
    log: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
  });
  let stopped: Promise<void> | undefined;
  /** Stops the app once all its work is done. */
  const finish = () => {
    stopped ??= app.stop();
    return stopped;
  };

  return {
    appUrl,
    slack: createSlackDriver(slack.url),
    service: createHostingDriver(hosting.url),

    /** Reads a copy of the database, because the app holds a lock on the file. */
    readDatabase(): Readonly<Record<string, unknown>> {
      const copy = join(folder, 'copy.db');
      for (const suffix of ['', '-wal']) {
        rmSync(copy + suffix, { force: true });
        if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
      }
      const database = new DatabaseSync(copy);
      const rows = Object.entries(queries).map(([name, query]) => [name, database.prepare(query).all()]);
      database.close();
      return Object.fromEntries(rows);
    },

    finish,

    async close(): Promise<void> {
      await finish();
      await slack.close();
      await hosting.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Harness = Awaited<ReturnType<typeof startHarness>>;
