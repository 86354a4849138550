import { statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type CheckpointThread, startCheckpointThread } from './checkpoint-thread.ts';
import type { Durability } from './durable-sqlite-driver.ts';
import { createGroupSync } from './group-sync.ts';

/** Number of writes after which the log is copied into the database file. Most of them are small. */
const checkpointWrites = 1000;
/**
 * Size in bytes to which the log's file is cut when the log starts again. A larger file has more than
 * that to copy.
 */
export const keptLogBytes = 16 * 1024 * 1024;

/**
 * Syncs the write-ahead log of an SQLite file, and copies it into the file, without blocking the
 * event loop. The copying runs in a thread that ends afterwards.
 */
export function createWriteAheadLog(file: string): Durability {
  let opened: Promise<FileHandle> | undefined;
  let writes = 0;
  let isClosing = false;
  let copying: Promise<unknown> | undefined;
  /** Set when most of the log was copied. */
  let finishing: CheckpointThread | undefined;

  const sync = createGroupSync(async () => {
    opened ??= openLog(file);
    await (await opened).datasync();
  });

  const isLarge = () => (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > keptLogBytes;

  /** Copies most of the log, while others write. */
  async function beginCopy(): Promise<void> {
    const thread = startCheckpointThread(file, keptLogBytes);
    try {
      await thread.copyLog();
      if (isClosing) await thread.end();
      else finishing = thread;
    } catch {
      // SQLite itself copies a log that gets too long.
      await thread.end();
    }
  }

  /** Copies the rest and restarts the log. No other write is allowed during this. */
  async function finishCopy(thread: CheckpointThread): Promise<void> {
    finishing = undefined;
    await thread.restartLog().catch(() => undefined);
    await thread.end();
  }

  return {
    sync,

    async written() {
      writes += 1;
      if (finishing) {
        await finishCopy(finishing);
        copying = undefined;
        writes = 0;
      } else if (writes >= checkpointWrites || isLarge()) {
        copying ??= beginCopy();
      }
    },

    async close() {
      isClosing = true;
      await copying;
      await finishing?.end();
      await (await opened)?.close();
    },
  };
}

/** Opens the log. Its directory entry has to survive a power failure too. */
async function openLog(file: string): Promise<FileHandle> {
  const directory = await open(dirname(file), 'r');
  await directory.sync().finally(() => directory.close());
  return open(`${file}-wal`, 'r+');
}
