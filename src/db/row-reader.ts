import type { Logger } from 'pino';
import { z } from 'zod';
import { RackhandError } from '../errors.ts';

/** Maximum number of unreadable rows that are listed. All of them are in the log. */
const maxListed = 20;

/** A stored row that this version of Rackhand can't read. Lists leave it out. */
export interface UnreadableRow {
  readonly table: string;
  readonly id: string;
  readonly reason: string;
}

interface TableFormat<Row, Value> {
  readonly table: string;
  /** What messages call a row, such as "watch". */
  readonly noun: string;
  toValue(row: Row): Value;
  /** Returns an ID by which the row can be found. The ID must not contain names of people or VPS. */
  toId(row: Row): string;
}

/** Converts the rows of one table. Logs the rows that can't be read, and remembers them for `listUnreadable`. */
export interface TableReader<Row, Value> {
  /** Converts the readable rows and skips the others, so that an unreadable row doesn't affect the rest. */
  readAll(rows: readonly Row[]): readonly Value[];
  /** Converts a row. Throws `row_unreadable` if the row can't be read. */
  read(row: Row): Value;
}

export interface RowReader {
  forTable<Row, Value>(format: TableFormat<Row, Value>): TableReader<Row, Value>;
  /** Lists the 20 unreadable rows found most recently since the process started, newest last. */
  listUnreadable(): readonly UnreadableRow[];
}

/** Creates a reader of stored rows that logs each unreadable row once. */
export function createRowReader(log?: Pick<Logger, 'error'>): RowReader {
  const found = new Map<string, UnreadableRow>();

  function report(table: string, id: string, error: unknown): void {
    const key = `${table} ${id}`;
    if (found.has(key)) return;
    const row = { table, id, reason: toReason(error) };
    log?.error(row, 'a stored row could not be read and was left out');
    found.set(key, row);
  }

  return {
    forTable({ table, noun, toValue, toId }) {
      function read(row: Parameters<typeof toValue>[0]) {
        try {
          return toValue(row);
        } catch (error) {
          report(table, toId(row), error);
          throw new RackhandError('row_unreadable', `This version of Rackhand can't read the ${noun}.`);
        }
      }
      return {
        read,
        readAll: (rows) =>
          rows.flatMap((row) => {
            try {
              return [read(row)];
            } catch {
              return [];
            }
          }),
      };
    },
    listUnreadable: () => [...found.values()].slice(-maxListed),
  };
}

/** Returns whether the error is about an unreadable row. */
export function isUnreadableRow(error: unknown): boolean {
  return error instanceof RackhandError && error.code === 'row_unreadable';
}

/**
 * Returns the reason without the row's content and field names, because fields can be named after VPS and
 * `/readyz` is public.
 */
function toReason(error: unknown): string {
  if (error instanceof SyntaxError) return 'not valid JSON';
  if (error instanceof z.ZodError) return `not accepted: ${error.issues.map(({ code }) => code).join(', ')}`;
  return 'not understood';
}
