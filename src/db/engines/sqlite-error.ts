import { RackhandError } from '../../errors.ts';

/** Reasons by SQLite's primary result code. https://sqlite.org/rescode.html */
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

/** Returns why SQLite can't use a file, in words that end a sentence. */
export function describeSqliteError(error: unknown): string {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : Number.NaN;
  // The upper bytes of an extended code hold details.
  return reasons[code & 0xff] ?? (error instanceof Error ? error.message : String(error));
}

/** Returns the error for a database file that can't be opened for writing. */
export function unusableFileError(file: string, cause: unknown): RackhandError {
  return new RackhandError(
    'setting_invalid',
    `The database file ${file} can't be used: ${describeSqliteError(cause)}.`,
    { cause },
  );
}
