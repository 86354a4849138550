import { accessSync, constants, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memoryDirectory = '/dev/shm';

/**
 * Creates a directory for the files of a test. It is in memory if the system offers that, because
 * SQLite would otherwise wait for the disk at every write.
 */
export function makeScratchDirectory(name: string): string {
  return mkdtempSync(join(isWritable(memoryDirectory) ? memoryDirectory : tmpdir(), `rackhand-${name}-`));
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
