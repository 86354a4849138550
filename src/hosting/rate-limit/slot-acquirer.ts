import { randomUUID } from 'node:crypto';
import type { KeyLimiter } from './key-limiter.ts';
import type { KeyLimiterRegistry } from './key-limiter-registry.ts';
import { type Lane, mapLanes } from './lanes.ts';
import type { QueuedCall } from './queued-call.ts';
import { sleep } from './sleep.ts';
import type { QuotaContext, SlotStore } from './stores/slot-store.ts';
import { estimateWaitMs, loadQuotaLoad } from './wait-estimate.ts';

export interface SlotRequest {
  readonly fingerprint: string;
  readonly limit: number;
  readonly lane: Lane;
  readonly onQueued: ((waitMs: number) => void) | undefined;
}

export interface SlotAcquirer {
  /**
   * Sends a call in a slot. Resolves when the slot is free again, or when the call is no longer
   * waiting.
   */
  acquire(request: SlotRequest, queuedCall: QueuedCall): Promise<void>;
  /** Resolves when every call in flight has ended and its end is recorded. */
  drained(): Promise<unknown>;
}

export function createSlotAcquirer(
  keys: KeyLimiterRegistry,
  store: SlotStore,
  context: QuotaContext,
): SlotAcquirer {
  const { timing, now, logger, closed } = context;
  const inFlight = new Set<Promise<void>>();

  async function notifyWait(
    { fingerprint, limit, lane, onQueued }: SlotRequest,
    queuedCall: QueuedCall,
    limiter: KeyLimiter,
  ) {
    if (!onQueued) return;
    const ahead = mapLanes((each) => countWaitingBefore(queuedCall, limiter.queues[each]));
    try {
      const waitMs = estimateWaitMs(lane, ahead, await loadQuotaLoad(fingerprint, limit, store, context));
      if (waitMs > 0 && queuedCall.isWaiting()) onQueued(waitMs);
    } catch (error) {
      logger.warn({ error }, 'an estimate of the wait was not delivered');
    }
  }

  /**
   * Makes the call and holds its slot. If the key is blocked, returns for how many ms instead of
   * making the call.
   */
  async function sendInSlot(
    { fingerprint, lane }: SlotRequest,
    queuedCall: QueuedCall,
    requestedAtMs: number,
  ): Promise<number> {
    if (!queuedCall.isWaiting()) return 0;
    const call = { fingerprint, lane, callId: randomUUID() };
    const blockedMs = await store.acquire(call);
    if (blockedMs > 0) return blockedMs;
    // If a process was frozen after its request, another process can have its slot by now.
    const isStale = now() - requestedAtMs > timing.startTimeoutMs;
    if (isStale || !queuedCall.isWaiting()) {
      await store.markAnswered(call);
      return 0;
    }
    const sent = queuedCall.send();
    const recorded = sent.then(() => store.markAnswered(call));
    inFlight.add(recorded);
    void recorded.then(() => inFlight.delete(recorded));
    await sent;
    await sleep(timing.holdMs, closed);
    return 0;
  }

  return {
    async acquire(request, queuedCall) {
      const { fingerprint, limit, lane } = request;
      const limiter = keys.retain(fingerprint, limit);
      const queue = limiter.queues[lane].add(queuedCall);
      void notifyWait(request, queuedCall, limiter);
      for (let isRetry = false; queuedCall.isWaiting(); isRetry = true) {
        let blockedMs = timing.marginMs;
        try {
          blockedMs = await limiter.withSlot(lane, isRetry, (requestedAtMs) =>
            sendInSlot(request, queuedCall, requestedAtMs).catch((error: unknown) => {
              queuedCall.reject(error);
              return 0;
            }),
          );
        } catch (error) {
          logger.warn({ error }, 'a slot of the quota was lost');
        }
        if (blockedMs <= 0 || !queuedCall.isWaiting()) continue;
        void notifyWait(request, queuedCall, limiter);
        await limiter.delay(blockedMs);
      }
      queue.delete(queuedCall);
      keys.release(fingerprint);
    },
    drained: () => Promise.all(inFlight),
  };
}

/**
 * Counts the calls that wait before `queuedCall`, or all waiting calls if it isn't in the queue.
 */
export function countWaitingBefore(
  queuedCall: QueuedCall | undefined,
  queue: ReadonlySet<QueuedCall>,
): number {
  let count = 0;
  for (const other of queue) {
    if (other === queuedCall) break;
    if (other.isWaiting()) count += 1;
  }
  return count;
}
