import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file of this machine, that only this user may read. */
export interface Spooled {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Writes text to a file as it comes, so that little of it is in memory at a time, lets `use` have it, and deletes it whatever happens. */
export async function spool<T>(
  chunks: AsyncIterable<string>,
  use: (file: Spooled) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'rackhand-'));
  try {
    const path = join(folder, 'export');
    const file = await open(path, 'wx', 0o600);
    let sizeBytes = 0;
    try {
      for await (const chunk of chunks) {
        const bytes = Buffer.from(chunk);
        await file.writeFile(bytes);
        sizeBytes += bytes.length;
      }
    } finally {
      await file.close();
    }
    return await use({ path, sizeBytes });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
