import type { Insertable } from 'kysely';
import type { Logger } from 'pino';
import type { Vault } from '../../db/encryption/vault.ts';
import type { Database } from '../../db/engines/database.ts';
import type { RunTable } from '../../db/schema/schema.ts';
import { wasUpdated } from '../../db/was-updated.ts';
import { settleLogKind } from '../log-kind.ts';
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
/** How long to wait after a failed write. */
const retryMs = 1_000;
/** How long a read that has ended and can't be written is tried again. */
const maxFailingMs = 60_000;

interface BufferedRead {
  readonly run: Pick<Run, 'id' | 'origin'>;
  /** By `performance.now()`. */
  readonly claimedMs: number;
  /** The process that has claimed it. */
  readonly owner: string;
  readonly row: Insertable<RunTable>;
  isDelivered: boolean;
  isBeingWritten: boolean;
  /** When it first couldn't be written, and when it is tried again. */
  failure: { readonly firstMs: number; readonly retryAtMs: number } | undefined;
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
 * its reply was sent, in a commit with others. A crash can forget a read that wasn't written yet. While
 * writes fail, further reads are stored at once, and fail if they can't be.
 */
export function bufferReads(store: RunStore, { db, vault, log }: BufferDependencies): BufferedRunStore {
  const responseUrls = createResponseUrls(db, vault);
  const buffered = new Map<string, BufferedRead>();
  const requestKeys = new Set<string>();
  let writing: Promise<void> = Promise.resolve();
  let isScheduled = false;
  /** Whether the last write stored no read. */
  let isFailing = false;

  function remove({ run, row }: BufferedRead): void {
    buffered.delete(run.id);
    requestKeys.delete(row.request_key);
  }

  function scheduleWrite(): void {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(
      async () => {
        await write(isDue);
        isScheduled = false;
        if (buffered.size > 0) scheduleWrite();
      },
      isFailing ? retryMs : writeIntervalMs,
    ).unref();
  }

  /** Writes the chosen reads, after those that are being written. Never throws. */
  function write(isChosen: (read: BufferedRead) => boolean): Promise<void> {
    writing = writing.then(() => writeNow([...buffered.values()].filter(isChosen)));
    return writing;
  }

  async function writeNow(chosen: readonly BufferedRead[]): Promise<void> {
    if (chosen.length === 0) return;
    let hasWritten = false;
    const together = chosen.filter(({ failure }) => !failure);
    for (const group of chunk(together, maxRowsPerStatement))
      if (await attempt(group, () => insert(group))) hasWritten = true;
    // One unusable row must not keep the others from being written.
    const alone = chosen.filter(({ failure, run }) => failure && buffered.has(run.id));
    let failureCount = 0;
    for (const read of alone) {
      const isWritten = await attempt([read], () => replace(read));
      if (isWritten) hasWritten = true;
      failureCount = isWritten ? 0 : failureCount + 1;
      // The database is away.
      if (failureCount === 2) break;
    }
    isFailing = !hasWritten;
  }

  /** Returns whether the reads are written. */
  async function attempt(reads: readonly BufferedRead[], put: () => Promise<unknown>): Promise<boolean> {
    for (const read of reads) read.isBeingWritten = true;
    try {
      await put();
      reads.forEach(remove);
      return true;
    } catch (error) {
      if (reads.some(({ failure }) => !failure))
        log.error({ err: error, reads: reads.length }, "can't store reads yet");
      reads.forEach(keepAfterFailure);
      return false;
    } finally {
      for (const read of reads) read.isBeingWritten = false;
    }
  }

  function keepAfterFailure(read: BufferedRead): void {
    const nowMs = performance.now();
    const { firstMs } = read.failure ?? { firstMs: nowMs };
    read.failure = { firstMs, retryAtMs: nowMs + retryMs };
    remove(read);
    // A read that is under way is settled by its own time limit.
    const hasEnded = read.row.settled_at != null;
    // Tried again after the others.
    if (!hasEnded || nowMs - firstMs < maxFailingMs) add(read);
    else log.error({ runId: read.run.id }, 'gave up storing a read');
  }

  async function insert(reads: readonly BufferedRead[]): Promise<void> {
    await db
      .insertInto('run')
      .values(await Promise.all(reads.map(toRow)))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** Stores a read again. A failed attempt can have stored it, if only its answer was lost. */
  async function replace(read: BufferedRead): Promise<void> {
    const row = await toRow(read);
    const stored = db
      .updateTable('run')
      .set(row)
      .where('id', '=', read.run.id)
      .where('owner', '=', read.owner);
    if (!(await wasUpdated(stored))) await insert([read]);
  }

  async function toRow({ run, row, isDelivered }: BufferedRead): Promise<Insertable<RunTable>> {
    return { ...row, response_url_jwe: isDelivered ? null : await responseUrls.encrypt(run) };
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

  /** Wraps a method about one run, so that the run is written before the method looks for it. */
  const afterWritingOne =
    <Rest extends readonly unknown[], Result>(method: (id: string, ...rest: Rest) => Promise<Result>) =>
    async (id: string, ...rest: Rest): Promise<Result> => {
      if (buffered.has(id)) await write(({ run }) => run.id === id);
      return method(id, ...rest);
    };

  async function writeReads(): Promise<void> {
    if (buffered.size > 0) await write(() => true);
  }

  /** Wraps a method about many runs, so that all reads are written before. */
  const afterWritingAll =
    <Args extends readonly unknown[], Result>(method: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await writeReads();
      return method(...args);
    };

  const runs: RunStore = {
    ...store,
    async ensureStored(id) {
      if (buffered.has(id)) await write(({ run }) => run.id === id);
      if (buffered.has(id)) throw new Error("the run can't be stored");
      await store.ensureStored(id);
    },
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
      if (!options?.isRead) return store.claim(run, requestKey, lease, options);
      if (requestKeys.has(requestKey)) return false;
      if (isFailing || buffered.size >= maxBuffered) return store.claim(run, requestKey, lease, options);
      requestKeys.add(requestKey);
      let isKnown = true;
      try {
        isKnown = await store.isClaimed(requestKey);
      } finally {
        if (isKnown) requestKeys.delete(requestKey);
      }
      if (isKnown) return false;
      add({
        run: { id: run.id, origin: run.origin },
        claimedMs: performance.now(),
        owner: lease.owner,
        row: { ...toNewRow(run, requestKey, options.logKind ?? 'reads'), ...toLeaseColumns(lease) },
        isDelivered: false,
        isBeingWritten: false,
        failure: undefined,
      });
      return true;
    },

    saveResolvedInput: (id, resolved, owner) =>
      change(
        id,
        ({ row }) => {
          if (row.status !== 'queued') return false;
          Object.assign(row, toNameColumns(resolved));
          return true;
        },
        () => store.saveResolvedInput(id, resolved, owner),
      ),

    settle: (settlement) =>
      change(
        settlement.id,
        ({ row }) => {
          const { from, status, result, notificationLease, nowMs } = settlement;
          if (!from.includes(row.status)) return false;
          const logKind = settleLogKind(row.log_kind, result);
          Object.assign(row, { status, log_kind: logKind }, toSettledColumns(result, nowMs));
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

/** Whether a read is written at the next regular time. */
function isDue({ isDelivered, claimedMs, failure }: BufferedRead): boolean {
  const nowMs = performance.now();
  if (failure) return nowMs >= failure.retryAtMs;
  return isDelivered || nowMs - claimedMs >= writeIntervalMs;
}

function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
