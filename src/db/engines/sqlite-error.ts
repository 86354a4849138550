import { RackhandError } from '../../errors.ts';

/** Why SQLite can't use a file, by primary result code. https://sqlite.org/rescode.html */
const reasons: Readonly<Record<number, string>> = {
  3: 'the process has no permission to use it',
  5: 'another process has it open',
  6: 'another process has it open',
  8: 'the file or its folder is read-only',
  10: 'the disk reported an error',
  11: 'the file is damaged',
  13: 'the disk is full',
  14: "the file or its folder can't be opened or created",
  26: "it isn't an SQLite file",
};

/** SQLite result codes that mean that the database is locked. */
const lockedCodes: readonly number[] = [5, 6];

/** Returns why SQLite can't use a file, phrased as the end of a sentence. */
export function describeSqliteError(error: unknown): string {
  const code = readErrorCode(error);
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}

/** Returns SQLite's primary result code. The upper bytes of an extended result code contain details. */
function readErrorCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : Number.NaN;
}

/** Returns whether an error was reported by SQLite itself. */
export function isSqliteError(error: unknown): boolean {
  return !Number.isNaN(readErrorCode(error));
}

/** Creates the error for a database file that can't be opened for writing. */
export function unusableFileError(file: string, cause: unknown): RackhandError {
  return new RackhandError(
    lockedCodes.includes(readErrorCode(cause)) ? 'database_claimed' : 'setting_invalid',
    `The database file ${file} can't be used: ${describeSqliteError(cause)}.`,
    { cause },
  );
}
