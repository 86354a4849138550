import type { Insertable } from 'kysely';
import type { Logger } from 'pino';
import type { Vault } from '../../db/encryption/vault.ts';
import type { Database } from '../../db/engines/database.ts';
import type { RunTable } from '../../db/schema/schema.ts';
import type { Run } from '../run.ts';
import { createResponseUrls } from './response-urls.ts';
import { toLeaseColumns } from './run-leases.ts';
import { toNameColumns, toNewRow, toSettledColumns } from './run-row.ts';
import type { RunStore } from './run-store.ts';

/** How often buffered reads are written. A read that takes longer is also written before its end. */
const writeIntervalMs = 100;
/** Most reads of one statement, so that it doesn't block the event loop for long. */
const maxRowsPerStatement = 100;
/** Most reads in the buffer. Further ones are written at once, as if there were no buffer. */
const maxBuffered = 1_000;
/** How long a read that can't be written is tried again. */
const maxBufferedMs = 60_000;

interface BufferedRead {
  readonly run: Pick<Run, 'id' | 'origin'>;
  /** By `performance.now()`. */
  readonly claimedMs: number;
  readonly row: Insertable<RunTable>;
  isDelivered: boolean;
  isBeingWritten: boolean;
  hasFailed: boolean;
}

interface BufferDependencies {
  readonly db: Database;
  readonly vault: Vault;
  readonly log: Pick<Logger, 'error'>;
}

interface BufferedRunStore {
  readonly runs: RunStore;
  /** Writes the buffered reads, so that queries of the table find them. */
  writeReads(): Promise<void>;
}

/**
 * Returns the store with a buffer for reads. A read that ends within 100 ms is written once, after
 * its reply was sent, in a commit with others. A crash can forget a read that wasn't written yet.
 */
export function bufferReads(store: RunStore, { db, vault, log }: BufferDependencies): BufferedRunStore {
  const responseUrls = createResponseUrls(db, vault);
  const buffered = new Map<string, BufferedRead>();
  const requestKeys = new Set<string>();
  let writing: Promise<void> = Promise.resolve();
  let isScheduled = false;

  function remove({ run, row }: BufferedRead): void {
    buffered.delete(run.id);
    requestKeys.delete(row.request_key);
  }

  function scheduleWrite(): void {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(async () => {
      await write(
        ({ isDelivered, claimedMs }) => isDelivered || performance.now() - claimedMs >= writeIntervalMs,
      );
      isScheduled = false;
      if (buffered.size > 0) scheduleWrite();
    }, writeIntervalMs).unref();
  }

  /** Writes the reads that are due, after those that are being written. Never throws. */
  function write(isDue: (read: BufferedRead) => boolean): Promise<void> {
    writing = writing.then(() => writeNow([...buffered.values()].filter(isDue)));
    return writing;
  }

  async function writeNow(due: readonly BufferedRead[]): Promise<void> {
    // One unusable row must not keep the others from being written.
    const alone = due.filter(({ hasFailed }) => hasFailed).map((read) => [read]);
    const together = due.filter(({ hasFailed }) => !hasFailed);
    const groups = [...chunk(together, maxRowsPerStatement), ...alone];
    for (const group of groups) if (!(await insert(group))) return;
  }

  async function insert(reads: readonly BufferedRead[]): Promise<boolean> {
    for (const read of reads) read.isBeingWritten = true;
    try {
      const rows = await Promise.all(reads.map(toRow));
      await db
        .insertInto('run')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      reads.forEach(remove);
      return true;
    } catch (error) {
      log.error({ err: error, reads: reads.length }, 'could not store reads');
      for (const read of reads) {
        Object.assign(read, { isBeingWritten: false, hasFailed: true });
        // Tried again after the others.
        remove(read);
        if (performance.now() - read.claimedMs < maxBufferedMs) add(read);
      }
      return false;
    }
  }

  async function toRow({ run, row, isDelivered }: BufferedRead): Promise<Insertable<RunTable>> {
    return isDelivered ? row : { ...row, response_url_jwe: await responseUrls.encrypt(run) };
  }

  function add(read: BufferedRead): void {
    buffered.set(read.run.id, read);
    requestKeys.add(read.row.request_key);
    scheduleWrite();
  }

  /** Changes a read that only the buffer has. A read that is being written is changed in the store afterwards. */
  async function change<Result>(
    id: string,
    inBuffer: (read: BufferedRead) => Result,
    inStore: () => Promise<Result>,
  ): Promise<Result> {
    while (buffered.get(id)?.isBeingWritten) await writing;
    const read = buffered.get(id);
    return read ? inBuffer(read) : inStore();
  }

  /** Writes the run to which the call refers first. */
  const afterWritingOne =
    <Rest extends readonly unknown[], Result>(method: (id: string, ...rest: Rest) => Promise<Result>) =>
    async (id: string, ...rest: Rest): Promise<Result> => {
      if (buffered.has(id)) await write(({ run }) => run.id === id);
      return method(id, ...rest);
    };

  async function writeReads(): Promise<void> {
    if (buffered.size > 0) await write(() => true);
  }

  const afterWritingAll =
    <Args extends readonly unknown[], Result>(method: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await writeReads();
      return method(...args);
    };

  const runs: RunStore = {
    ...store,
    ensureStored: afterWritingOne(store.ensureStored),
    find: afterWritingOne(store.find),
    findResponseUrl: afterWritingOne(store.findResponseUrl),
    saveMessage: afterWritingOne(store.saveMessage),
    saveNoticeTime: afterWritingOne(store.saveNoticeTime),
    giveUp: afterWritingOne(store.giveUp),
    listRecent: afterWritingAll(store.listRecent),
    listDenied: afterWritingAll(store.listDenied),
    expireUnsent: afterWritingAll(store.expireUnsent),
    endLeases: afterWritingAll(store.endLeases),

    async claim(run, requestKey, lease, options) {
      if (!options?.isRead || buffered.size >= maxBuffered)
        return store.claim(run, requestKey, lease, options);
      if (requestKeys.has(requestKey)) return false;
      requestKeys.add(requestKey);
      const isKnown = await store.isClaimed(requestKey).catch((error: unknown) => {
        requestKeys.delete(requestKey);
        throw error;
      });
      if (isKnown) {
        requestKeys.delete(requestKey);
        return false;
      }
      add({
        run: { id: run.id, origin: run.origin },
        claimedMs: performance.now(),
        row: { ...toNewRow(run, requestKey), ...toLeaseColumns(lease) },
        isDelivered: false,
        isBeingWritten: false,
        hasFailed: false,
      });
      return true;
    },

    saveResolvedInput: (id, resolved) =>
      change(
        id,
        (read) => void Object.assign(read.row, toNameColumns(resolved)),
        () => store.saveResolvedInput(id, resolved),
      ),

    settle: (settlement) =>
      change(
        settlement.id,
        ({ row }) => {
          const { from, status, result, notificationLease, nowMs } = settlement;
          if (!from.includes(row.status)) return false;
          Object.assign(row, { status }, toSettledColumns(result, nowMs));
          if (notificationLease) Object.assign(row, toLeaseColumns(notificationLease));
          return true;
        },
        () => store.settle(settlement),
      ),

    markDelivered: (id, settledMs) =>
      change(
        id,
        (read) => {
          const { settled_at: storedMs } = read.row;
          if (storedMs === undefined || storedMs !== (settledMs ?? storedMs)) return;
          Object.assign(read.row, toLeaseColumns(null));
          read.isDelivered = true;
        },
        () => store.markDelivered(id, settledMs),
      ),
  };
  return { runs, writeReads };
}

function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
