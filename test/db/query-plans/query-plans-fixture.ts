import { expect, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/db/engines/database.ts';
import { startStack } from '../../stack.ts';
import { fillGrowingTables } from './large-tables.ts';

/** Statements by their SQL, with the values that each had first. */
export type RecordedStatements = Map<string, readonly unknown[]>;

/**
 * Runs commands, a click and every background job on a database of 1,000 other workspaces. Returns
 * the statements that ran.
 */
export async function useLargeDatabase(
  databaseUrl: string,
  startRecording: () => RecordedStatements,
): Promise<RecordedStatements> {
  const { db, close: closeDatabase } = await openDatabase(databaseUrl);
  await fillGrowingTables(db, Date.now());
  await closeDatabase();
  const recorded = startRecording();
  // Background jobs run for the first time when the app starts.
  const { slack, close } = await startStack({ databaseUrl });
  onTestFinished(close);
  const replies = { help: /./, list: '12 VPS', 'show VPS-10005': 'VPS-10005', history: /./, quota: /./ };
  for (const [command, reply] of Object.entries(replies)) {
    await slack.slash(command);
    await slack.message(reply);
  }
  await slack.slash('reboot VPS-10001');
  await slack.click(await slack.message(/Reboot/), 'confirm');
  await slack.message('✅ Done');
  for (const table of ['job', 'run', 'quota_call', 'watch', 'report'])
    expect([...recorded.keys()].some((statement) => new RegExp(`\\b${table}\\b`).test(statement))).toBe(true);
  return new Map([...recorded].filter(([statement]) => isOwnQuery(statement)));
}

function isOwnQuery(statement: string): boolean {
  return (
    /^\s*(select|update|delete|insert|with)\b/i.test(statement) && !/sqlite_|kysely_|pg_/.test(statement)
  );
}
