import { randomUUID } from 'node:crypto';
import type { KeySlots } from './key-slots.ts';
import type { Keys } from './keys.ts';
import { forEachLane, type Lane } from './lanes.ts';
import { sleep } from './sleep.ts';
import type { QuotaContext, SlotStore } from './slot-store.ts';
import type { Ticket } from './ticket.ts';
import { estimateWaitMs, readFullness } from './wait.ts';

/** What is to be known of a call to bring it to its slot. */
export interface Wish {
  readonly key: string;
  readonly limit: number;
  readonly lane: Lane;
  readonly onQueued: ((waitMs: number) => void) | undefined;
}

export interface Pursuit {
  /** Brings a ticket to its slot, and resolves when the slot has been held to its end, or the ticket waits no more. */
  pursue(wish: Wish, ticket: Ticket): Promise<void>;
  /** Resolves when every call under way has been answered, and that has been recorded. */
  landed(): Promise<unknown>;
}

export function createPursuit(keys: Keys, store: SlotStore, context: QuotaContext): Pursuit {
  const { timing, now, log, closed } = context;
  const underWay = new Set<Promise<void>>();

  async function tellWait({ key, limit, lane, onQueued }: Wish, ticket: Ticket, slots: KeySlots) {
    if (!onQueued) return;
    const ahead = forEachLane((each) => waitingBefore(ticket, slots.lines[each]));
    try {
      const waitMs = estimateWaitMs(lane, ahead, await readFullness(key, limit, store, context));
      if (waitMs > 0 && ticket.isWaiting()) onQueued(waitMs);
    } catch (error) {
      log.warn({ error }, 'a wait could not be told');
    }
  }

  /** Makes the call in the slot that was given for it and holds the slot, or answers for how many ms the key must rest. */
  async function use({ key, lane }: Wish, ticket: Ticket, askedAtMs: number): Promise<number> {
    if (!ticket.isWaiting()) return 0;
    const call = { key, lane, callId: randomUUID() };
    const obstacleMs = await store.depart(call);
    if (obstacleMs > 0) return obstacleMs;
    // A process that was frozen after it had asked may have lost the slot to another.
    const isStale = now() - askedAtMs > timing.startTimeoutMs;
    if (isStale || !ticket.isWaiting()) {
      await store.answered(call);
      return 0;
    }
    const answered = ticket.leave();
    const recorded = answered.then(() => store.answered(call));
    underWay.add(recorded);
    void recorded.then(() => underWay.delete(recorded));
    await answered;
    await sleep(timing.holdMs, closed);
    return 0;
  }

  return {
    async pursue(wish, ticket) {
      const { key, limit, lane } = wish;
      const slots = keys.enter(key, limit);
      const line = slots.lines[lane].add(ticket);
      void tellWait(wish, ticket, slots);
      for (let returning = false; ticket.isWaiting(); returning = true) {
        let restMs = timing.marginMs;
        try {
          restMs = await slots.take(lane, returning, (askedAtMs) =>
            use(wish, ticket, askedAtMs).catch((error: unknown) => {
              ticket.refuse(error);
              return 0;
            }),
          );
        } catch (error) {
          log.warn({ error }, 'a slot of the quota was lost');
        }
        if (restMs <= 0 || !ticket.isWaiting()) continue;
        void tellWait(wish, ticket, slots);
        await slots.rest(restMs);
      }
      line.delete(ticket);
      keys.leave(key);
    },
    landed: () => Promise.all(underWay),
  };
}

/** Counts who waits in a line: before that ticket, or altogether where it does not stand in it. */
export function waitingBefore(ticket: Ticket | undefined, line: ReadonlySet<Ticket>): number {
  let count = 0;
  for (const other of line) {
    if (other === ticket) break;
    if (other.isWaiting()) count += 1;
  }
  return count;
}
