import { text } from 'node:stream/consumers';
import { RackhandError } from '../../errors.ts';
import { backUp } from './backup.ts';

// The program of the process that makes scheduled backups. It reads the database's URL from stdin,
// writes one file and exits. If it fails, it writes the reason to stderr.
const [file = ''] = process.argv.slice(2);

try {
  await backUp(await text(process.stdin), file);
} catch (error) {
  // Other errors could name the database's password.
  process.stderr.write(error instanceof RackhandError ? error.message : 'The database could not be read.');
  process.exitCode = 1;
}
