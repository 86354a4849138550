import { execFile } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RackhandError } from '../../errors.ts';

const timeoutMs = 60 * 60_000;

/**
 * Backs up a database in a child process, because reading all of it would block this one. Rejects with the
 * reason if the backup fails or takes more than an hour.
 */
export async function backUpInProcess(databaseUrl: string, file: string, signal: AbortSignal): Promise<void> {
  // Releases contain JavaScript files, checkouts TypeScript files.
  const program = new URL(`./backup-main${extname(import.meta.filename)}`, import.meta.url);
  const options = { env: {}, signal, timeout: timeoutMs };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = execFile(process.execPath, [fileURLToPath(program), file], options, (error, _, reason) => {
    if (error === null) resolve();
    else if (signal.aborted) reject(error);
    else reject(new RackhandError('internal', `The backup failed: ${reason.trim() || 'it took too long'}`));
  });
  // The URL can contain a password, so it isn't passed as an argument.
  child.stdin?.end(databaseUrl);
  return promise;
}
