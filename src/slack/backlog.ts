import type { Logger } from 'pino';

/** Takes work that is done after Slack has had its ack. */
export interface Backlog {
  /** Adds a piece of work and returns at once. */
  add(work: () => Promise<void>): void;
  /** Resolves when all of it is done. */
  drained(): Promise<void>;
}

/** Pieces under way at the same time; most of their time they wait for others. */
const mostUnderWay = 20;

/**
 * Creates the backlog. A piece begins only after the event loop has seen to what has arrived meanwhile, so that acks go before work: Slack gives them
 * three seconds, the work has minutes.
 */
export function createBacklog(log: Pick<Logger, 'error'>): Backlog {
  const waiting: (() => Promise<void>)[] = [];
  const underWay = new Set<Promise<void>>();
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || waiting.length === 0 || underWay.size >= mostUnderWay) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      begin();
      schedule();
    });
  }

  function begin(): void {
    const work = waiting.shift();
    if (!work) return;
    const piece = work()
      .catch((error) => log.error({ err: error }, 'what was asked in Slack could not be answered'))
      .finally(() => {
        underWay.delete(piece);
        schedule();
      });
    underWay.add(piece);
  }

  return {
    add(work) {
      waiting.push(work);
      schedule();
    },
    async drained() {
      while (waiting.length > 0 || underWay.size > 0) {
        schedule();
        await Promise.race([...underWay, new Promise((resolve) => setImmediate(resolve))]);
      }
    },
  };
}
