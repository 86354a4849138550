import { text } from 'node:stream/consumers';
import { RackhandError } from '../../errors.ts';
import { backUp } from './backup.ts';

// Entry point of the child process that makes scheduled backups. Reads the database URL from stdin, writes
// the backup file and exits. On failure, writes the reason to stderr.
const [file = ''] = process.argv.slice(2);

try {
  await backUp(await text(process.stdin), file);
} catch (error) {
  // The messages of other errors could contain the database password.
  process.stderr.write(error instanceof RackhandError ? error.message : 'The database could not be read.');
  process.exitCode = 1;
}
