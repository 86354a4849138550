import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Takes work that is done after Slack has had its ack. */
export interface Backlog {
  /** Whether so much is waiting that it is better to ask people to come back. */
  isFull(): boolean;
  /** Adds a piece of work and returns at once. */
  add(work: () => Promise<void>): void;
  /** Resolves when all of it is done. */
  drained(): Promise<void>;
}

/** Pieces that wait to be begun: what 10 s of a flood take, as `gapWhenBusyMs` has it. */
const mostWaiting = 500;

/** Share of its time from which on the event loop counts as busy. */
const busyShare = 0.9;

/** Pause between two beginnings while the event loop is busy: acks have three seconds, work has minutes. */
const gapWhenBusyMs = 20;

/**
 * Creates the backlog: acks go before work. While the event loop has time to spare a piece begins at once, and however much is under way never keeps
 * another from beginning, since most of it waits for the quota or for Slack.
 */
export function createBacklog(log: Pick<Logger, 'error'>): Backlog {
  const waiting: (() => Promise<void>)[] = [];
  const underWay = new Set<Promise<void>>();
  let isScheduled = false;
  let utilization = performance.eventLoopUtilization();

  function schedule(): void {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    const now = performance.eventLoopUtilization();
    const isBusy = performance.eventLoopUtilization(now, utilization).utilization > busyShare;
    utilization = now;
    if (isBusy) setTimeout(begin, gapWhenBusyMs);
    else setImmediate(begin);
  }

  function begin(): void {
    isScheduled = false;
    const work = waiting.shift();
    if (work) {
      const piece = work()
        .catch((error) => log.error({ err: error }, 'a piece of work failed after its ack'))
        .finally(() => underWay.delete(piece));
      underWay.add(piece);
    }
    schedule();
  }

  return {
    isFull: () => waiting.length >= mostWaiting,
    add(work) {
      waiting.push(work);
      schedule();
    },
    async drained() {
      while (waiting.length > 0 || underWay.size > 0) {
        // What waits is begun in a later turn of the event loop.
        await (underWay.size > 0 ? Promise.race(underWay) : delay(gapWhenBusyMs));
      }
    },
  };
}
