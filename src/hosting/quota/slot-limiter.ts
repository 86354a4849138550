import type Bottleneck from 'bottleneck';

/** Gives out a number of slots by priority, each until what it was given for has ended. */
export interface SlotLimiter {
  /** Uses a slot when there is one. Rejects when the slot expires, whether or not its use has begun. */
  schedule<T>(
    options: { readonly priority: number; readonly expiration: number | null },
    use: (askedAtMs: number) => Promise<T>,
  ): Promise<T>;
  resize(slots: number): Promise<void>;
  close(): Promise<void>;
}

interface Grant {
  askedAtMs: number;
}

/** Wraps a Bottleneck so that whoever uses a slot knows since when it can have been taken. */
export function createSlotLimiter(bottleneck: Bottleneck, lastAskedAtMs: () => number): SlotLimiter {
  // Bottleneck tells this while it still holds the lock under which it asked, so the last time asked is this job's.
  bottleneck.on('scheduled', ({ args: [grant] }) => {
    grant.askedAtMs = lastAskedAtMs();
  });
  return {
    schedule: (options, use) =>
      bottleneck.schedule(options, (grant: Grant) => use(grant.askedAtMs), { askedAtMs: 0 }),
    async resize(slots) {
      await bottleneck.updateSettings({ maxConcurrent: slots });
    },
    close: () => bottleneck.disconnect(),
  };
}
