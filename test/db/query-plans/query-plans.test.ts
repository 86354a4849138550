import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { isAcceptedScan, smallIndexes } from './accepted-scans.ts';
import { growingTables } from './large-tables.ts';
import { type RecordedStatements, useLargeDatabase } from './query-plans-fixture.ts';

/** Records the SQL of every statement that runs. */
function recordStatements(): RecordedStatements {
  const seen: RecordedStatements = new Map();
  for (const method of ['run', 'all', 'iterate'] as const) {
    const original = StatementSync.prototype[method];
    vi.spyOn(StatementSync.prototype, method).mockImplementation(function (this: StatementSync, ...values) {
      seen.set(this.sourceSQL, []);
      return Reflect.apply(original, this, values);
    });
  }
  return seen;
}

/**
 * Returns whether a step of a plan reads all rows of a growing table, or all entries of an index of
 * it. A step that uses a part of an index is a SEARCH.
 */
function scansGrowingTable(detail: string, statement: string): boolean {
  const [, name, index = ''] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? [];
  if (name === undefined || smallIndexes.includes(index) || isAcceptedScan(statement)) return false;
  const table = new RegExp(`"(\\w+)" as "${name}"`).exec(statement)?.[1] ?? name;
  return [...growingTables, 'quota_call', 'one_time_secret'].includes(table);
}

test('no query of a command, a click or a background job reads all rows of a growing table', async () => {
  const directory = makeScratchDirectory('plans');
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'rackhand.db');
  onTestFinished(() => void vi.restoreAllMocks());
  const statements = await useLargeDatabase(`sqlite:${file}`, recordStatements);
  const database = new DatabaseSync(file, { readOnly: true });
  onTestFinished(() => database.close());
  const scans = [...statements.keys()].flatMap((statement) =>
    database
      .prepare(`explain query plan ${statement}`)
      .all()
      .map(({ detail }) => String(detail))
      .filter((detail) => scansGrowingTable(detail, statement))
      .map((detail) => `${detail}: ${statement}`),
  );
  expect(scans).toEqual([]);
});
