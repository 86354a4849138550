import { backgroundSlots, type Lane, priorityOf, rememberedPriority } from './lanes.ts';
import { sleep } from './sleep.ts';
import type { HeldSlot, QuotaContext, SlotStore } from './slot-store.ts';
import type { Ticket } from './ticket.ts';

/** The slots of one key, and who waits for them in this process. */
export interface KeySlots {
  /** Tickets of each lane in the order of their arrival; those that have left stay while they hold a slot. */
  readonly lines: Readonly<Record<Lane, Set<Ticket>>>;
  /** Changes the quota for everything that has no slot yet. */
  resize(limit: number): void;
  /**
   * Takes a slot when there is one, for as long as `use` lasts. Answers what `use` answers: for how many ms the key must
   * rest. Rejects when a slot expires.
   */
  take(lane: Lane, returning: boolean, use: (askedAtMs: number) => Promise<number>): Promise<number>;
  /** Takes a slot again that a call of before the restart still holds. */
  takeAgain(slot: HeldSlot): Promise<void>;
  /** Resolves after `ms` for all who rest, in the order in which they came. */
  rest(ms: number): Promise<void>;
  close(): Promise<void>;
}

export function createKeySlots(
  key: string,
  firstLimit: number,
  store: SlotStore,
  { timing: { holdMs }, now, closed, backgroundShare }: QuotaContext,
): KeySlots {
  const { expirationMs } = store;
  let limit = firstLimit;
  let limiters = openLimiters();
  let resting: Promise<void> | undefined;

  async function openLimiters() {
    const [all, background] = await Promise.all([
      store.openLimiter(key, limit),
      store.openLimiter(`${key}:background`, backgroundSlots(limit, backgroundShare)),
    ]);
    return { all, background };
  }

  return {
    lines: { people: new Set(), background: new Set() },

    resize(newLimit) {
      if (newLimit === limit) return;
      limit = newLimit;
      limiters = limiters.then(async ({ all, background }) => {
        await Promise.all([
          all.resize(newLimit),
          background.resize(backgroundSlots(newLimit, backgroundShare)),
        ]);
        return { all, background };
      });
    },

    async take(lane, returning, use) {
      const { all, background } = await limiters;
      const priority = priorityOf(lane, returning);
      const inKey = { priority, expiration: expirationMs };
      if (lane === 'people') return all.schedule(inKey, use);

      // A place in the lane that could expire under its call is given back instead.
      const inLane = { priority, expiration: expirationMs && 2 * expirationMs };
      return background.schedule(inLane, () => {
        const usableUntilMs = now() + (expirationMs ?? Number.POSITIVE_INFINITY);
        return all.schedule(inKey, async (askedAtMs) => (now() <= usableUntilMs ? use(askedAtMs) : 0));
      });
    },

    async takeAgain({ lane, releaseAtMs }) {
      const { all, background } = await limiters;
      const options = { priority: rememberedPriority, expiration: expirationMs };
      // However the clock has jumped, nobody holds a slot for longer than a hold.
      const hold = () => sleep(Math.min(releaseAtMs - now(), holdMs), closed);
      await Promise.all([
        all.schedule(options, hold),
        lane === 'background' ? background.schedule(options, hold) : undefined,
      ]);
    },

    rest(ms) {
      resting ??= sleep(ms, closed).then(() => {
        resting = undefined;
      });
      return resting;
    },

    async close() {
      const { all, background } = await limiters;
      await Promise.all([all.close(), background.close()]);
    },
  };
}
