import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a directory for the files of a test. `vitest.config.ts` decides where, and deletes all of them when the
 * tests have ended.
 */
export function makeScratchDirectory(name: string): string {
  return mkdtempSync(join(process.env.TEST_SCRATCH_DIRECTORY ?? tmpdir(), `rackhand-${name}-`));
}
