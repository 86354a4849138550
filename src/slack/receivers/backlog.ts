import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** A queue of tasks that run after Slack's ack. */
export interface Backlog {
  /** Returns whether the queue is so long that new requests should be rejected. */
  isFull(): boolean;
  /** Queues a task and returns immediately. */
  add(task: () => Promise<void>): void;
  /** Resolves when every task is done. */
  drained(): Promise<void>;
}

/**
 * Maximum number of queued tasks. Under full load, this many tasks start within 10 s, one each
 * `busyDelayMs`.
 */
const maxWaiting = 500;

/** Share of time for which the event loop must be busy to count as busy. */
const busyShare = 0.9;

/**
 * Pause between starting two tasks while the event loop is busy. Acks must be sent within 3 s, but
 * tasks have minutes.
 */
const busyDelayMs = 20;

/**
 * Creates a queue that lets acks go before tasks. If the event loop is idle, tasks start
 * immediately. The number of running tasks isn't limited, because most of them wait for the quota
 * or for Slack.
 */
export function createBacklog(log: Pick<Logger, 'error'>): Backlog {
  const waiting: (() => Promise<void>)[] = [];
  const running = new Set<Promise<void>>();
  let isScheduled = false;
  let utilization = performance.eventLoopUtilization();

  function schedule(): void {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    const now = performance.eventLoopUtilization();
    const isBusy = performance.eventLoopUtilization(now, utilization).utilization > busyShare;
    utilization = now;
    if (isBusy) setTimeout(startNext, busyDelayMs);
    else setImmediate(startNext);
  }

  function startNext(): void {
    isScheduled = false;
    const task = waiting.shift();
    if (task) {
      const run = task()
        .catch((error) => log.error({ err: error }, 'a task failed after its ack'))
        .finally(() => running.delete(run));
      running.add(run);
    }
    schedule();
  }

  return {
    isFull: () => waiting.length >= maxWaiting,
    add(task) {
      waiting.push(task);
      schedule();
    },
    async drained() {
      while (waiting.length > 0 || running.size > 0) {
        // Queued tasks start in a later turn of the event loop.
        await (running.size > 0 ? Promise.race(running) : delay(busyDelayMs));
      }
    },
  };
}
