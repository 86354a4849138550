import { execFile } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RackhandError } from '../../errors.ts';

const timeoutMs = 60 * 60_000;

/**
 * Backs up a database in a child process, because reading the whole database would block this process.
 * Rejects with the reason if the backup fails or takes more than an hour.
 */
export async function backUpInProcess(databaseUrl: string, file: string, signal: AbortSignal): Promise<void> {
  // A release contains JavaScript files, a checkout TypeScript files.
  const program = new URL(`./backup-main${extname(import.meta.filename)}`, import.meta.url);
  const options = { env: {}, signal, timeout: timeoutMs };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = execFile(process.execPath, [fileURLToPath(program), file], options, (error, _, reason) => {
    if (error === null) resolve();
    else if (signal.aborted) reject(error);
    else reject(new RackhandError('internal', `The backup failed: ${reason.trim() || 'it took too long'}`));
  });
  // Passed on stdin rather than as an argument, because the URL can contain a password.
  child.stdin?.end(databaseUrl);
  return promise;
}
