import { expect, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/db/engines/database.ts';
import { createManualClock } from '../../jobs/clocks/manual-clock.ts';
import { startStack } from '../../stack.ts';
import { fillGrowingTables, growingTables } from './large-tables.ts';
import { useEverything } from './use-everything.ts';

/** Statements by their SQL, with the values that each had first. */
export type RecordedStatements = Map<string, readonly unknown[]>;

/**
 * Runs commands, clicks and every background job on a database of 1,000 other workspaces. Returns
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
  const clock = createManualClock(Date.now());
  // Background jobs run for the first time when the app starts.
  const running = await startStack({ databaseUrl, clock, hosting: { windowMs: 250 } });
  onTestFinished(running.close);
  await useEverything(running, clock);
  const isUsed = (table: string) =>
    [...recorded.keys()].some((statement) => new RegExp(`\\b${table}\\b`).test(statement));
  expect([...growingTables, 'quota_call'].filter((table) => !isUsed(table))).toEqual([]);
  return new Map([...recorded].filter(([statement]) => isOwnQuery(statement)));
}

function isOwnQuery(statement: string): boolean {
  return (
    /^\s*(select|update|delete|insert|with)\b/i.test(statement) && !/sqlite_|kysely_|pg_/.test(statement)
  );
}
