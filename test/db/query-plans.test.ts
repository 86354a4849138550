import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../src/db/engines/database.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { startStack } from '../stack.ts';

/** Tables that grow with use. The others have a few rows for each workspace. */
const growing = ['run', 'job', 'quota_call', 'audit_chain', 'report', 'watch', 'one_time_secret'];

/** Records the SQL of every statement that runs. */
function recordStatements(): ReadonlySet<string> {
  const seen = new Set<string>();
  for (const method of ['run', 'all', 'iterate'] as const) {
    const original = StatementSync.prototype[method];
    vi.spyOn(StatementSync.prototype, method).mockImplementation(function (this: StatementSync, ...values) {
      seen.add(this.sourceSQL);
      return Reflect.apply(original, this, values);
    });
  }
  return seen;
}

test('no query of a command, a click or a background job reads all rows of a growing table', async () => {
  const directory = makeScratchDirectory('plans');
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'rackhand.db');
  // Migrations read whole tables, once.
  await (await openDatabase(`sqlite:${file}`)).close();
  const statements = recordStatements();
  onTestFinished(() => void vi.restoreAllMocks());
  // Background jobs run for the first time when the app starts.
  const { slack, close } = await startStack({ databaseUrl: `sqlite:${file}` });
  onTestFinished(close);
  const replies = { help: /./, list: '12 VPS', 'show VPS-10005': 'VPS-10005', history: /./, quota: /./ };
  for (const [command, reply] of Object.entries(replies)) {
    await slack.slash(command);
    await slack.message(reply);
  }
  await slack.slash('reboot VPS-10001');
  await slack.click(await slack.message(/Reboot/), 'confirm');
  await slack.message('✅ Done');

  const database = new DatabaseSync(file, { readOnly: true });
  onTestFinished(() => database.close());
  const scans = [...statements]
    .filter((sql) => /^\s*(select|update|delete|insert|with)\b/i.test(sql) && !/sqlite_|kysely_/.test(sql))
    .flatMap((sql) =>
      database
        .prepare(`explain query plan ${sql}`)
        .all()
        .map(({ detail }) => String(detail))
        .filter((detail) => growing.some((table) => detail === `SCAN ${table}`))
        .map((detail) => `${detail}: ${sql}`),
    );
  for (const table of ['job', 'run', 'quota_call', 'watch', 'report'])
    expect([...statements].some((sql) => new RegExp(`\\b${table}\\b`).test(sql))).toBe(true);
  expect(scans).toEqual([]);
});
