import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary file that only this process's user can read. */
export interface ExportFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Streams text into a temporary file, passes the file to `use`, and always deletes it afterwards. */
export async function writeExportStream<T>(
  chunks: AsyncIterable<string>,
  use: (file: ExportFile) => Promise<T>,
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
