import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';

/** A queue of tasks that run after Slack's ack. */
export interface Backlog {
  /** Returns whether tasks wait so long that new requests should be rejected. */
  isFull(): boolean;
  /** Queues a task and returns immediately. */
  add(task: () => Promise<void>): void;
  /** Resolves when every task is done. */
  drained(): Promise<void>;
}

interface QueuedTask {
  readonly run: () => Promise<void>;
  readonly queuedMs: number;
}

/** If the oldest task has waited longer than this, new requests are rejected. */
const maxWaitMs = 10_000;

/** Maximum number of queued tasks, which limits their memory. */
const maxWaiting = 5_000;

/**
 * Time budget of one turn of the event loop. If a turn took longer, no task starts in it, so that
 * running tasks can finish and deliveries don't wait behind new work.
 */
const turnBudgetMs = 5;

/** A task still starts this often, so that a flood of deliveries can't stop all work. */
const maxPauseMs = 50;

/** How often to check whether the pending acks have been sent. */
const recheckMs = 1;

interface BacklogOptions {
  /** Returns how many deliveries wait for their ack. */
  readonly pendingAcks: () => number;
  readonly log: Pick<Logger, 'error'>;
  readonly now?: () => number;
}

/**
 * Creates a queue that lets acks go before tasks. In each turn of the event loop, one task starts
 * if no ack is pending and the turn was short. The number of running tasks isn't limited, because
 * most of them wait for the quota or for Slack.
 */
export function createBacklog({ pendingAcks, log, now = () => performance.now() }: BacklogOptions): Backlog {
  const waiting: QueuedTask[] = [];
  const running = new Set<Promise<void>>();
  let isScheduled = false;
  let lastStartMs = Number.NEGATIVE_INFINITY;
  let turnStartMs = 0;

  function schedule(): void {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    turnStartMs = now();
    if (pendingAcks() > 0) setTimeout(takeTurn, recheckMs);
    else setImmediate(takeTurn);
  }

  function takeTurn(): void {
    isScheduled = false;
    const nowMs = now();
    const hasTime = pendingAcks() === 0 && nowMs - turnStartMs <= turnBudgetMs;
    if (hasTime || nowMs - lastStartMs >= maxPauseMs) startNext(nowMs);
    schedule();
  }

  function startNext(nowMs: number): void {
    const task = waiting.shift();
    if (!task) return;
    lastStartMs = nowMs;
    const run = task
      .run()
      .catch((error) => log.error({ err: error }, 'a task failed after its ack'))
      .finally(() => running.delete(run));
    running.add(run);
  }

  return {
    isFull() {
      const [oldest] = waiting;
      return oldest !== undefined && (waiting.length >= maxWaiting || now() - oldest.queuedMs > maxWaitMs);
    },
    add(run) {
      waiting.push({ run, queuedMs: now() });
      schedule();
    },
    async drained() {
      while (waiting.length > 0 || running.size > 0) {
        if (running.size > 0) await Promise.race(running);
        // Queued tasks start in a later turn of the event loop.
        else await new Promise(setImmediate);
      }
    },
  };
}
