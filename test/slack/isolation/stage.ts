import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pino from 'pino';
import { createStack } from '../../../src/sandbox/stack.ts';
import { freePort } from '../../services/free-port.ts';
import { manifestPath, serviceControl, slackControl } from '../../stack.ts';

/** What Rackhand keeps of a workspace, without the runs of others than Alice. */
const queries: Readonly<Record<string, string>> = {
  grants: 'select * from access_grant order by grantee, pattern',
  limits: 'select * from channel_limit order by channel',
  requests: "select id, answer from access_request where user_id = 'U0CAROL'",
  approvals: 'select * from approval_rule order by id',
  keys: 'select team_id, fingerprint, quota, connected_by from api_key order by team_id',
  secrets: 'select id from secret order by id',
  runs: "select id, operation, status, approved_by from run where user_id = 'U0ALICE' order by id",
};

/** Starts everything with the app over HTTP, to deliver to it what Slack would, and to look at what it keeps. */
export async function startStage() {
  const folder = mkdtempSync(join(tmpdir(), 'rackhand-isolation-'));
  const file = join(folder, 'app.db');
  const appUrl = `http://127.0.0.1:${await freePort()}/slack/events`;
  const { slack, hosting, app } = await createStack({
    hosting: { port: 0, vpsCount: 60 },
    slack: { port: 0, manifest: manifestPath, delivery: `http:${appUrl}` },
    databaseUrl: `sqlite:${file}`,
    grants: [{ grantee: 'U0CAROL', right: 'look', pattern: '*' }],
    log: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
  });

  return {
    appUrl,
    slack: slackControl(slack.url),
    service: serviceControl(hosting.url),

    /** What the app keeps, in a copy: it holds the file for itself. */
    kept(): Readonly<Record<string, unknown>> {
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

    /** Lets the app come to the end of what it was asked, and stop. */
    finish: () => app.stop(),

    async close(): Promise<void> {
      await slack.close();
      await hosting.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Stage = Awaited<ReturnType<typeof startStage>>;
