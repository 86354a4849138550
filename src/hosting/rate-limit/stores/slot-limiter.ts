import type Bottleneck from 'bottleneck';

/** Grants a limited number of slots by priority. A slot is held until its use ends. */
export interface SlotLimiter {
  /**
   * Runs `use` in a slot as soon as one is free. Rejects if the slot expires, even before `use`
   * begins.
   */
  schedule<T>(
    options: { readonly priority: number; readonly expiration: number | null },
    use: (requestedAtMs: number) => Promise<T>,
  ): Promise<T>;
  resize(slots: number): Promise<void>;
  close(): Promise<void>;
}

interface SlotGrant {
  requestedAtMs: number;
}

/** Wraps a Bottleneck so that each use gets to know when its slot was requested. */
export function createSlotLimiter(bottleneck: Bottleneck, lastRequestedAtMs: () => number): SlotLimiter {
  // Bottleneck emits this event while it holds the lock of the request, so the last request belongs
  // to this job.
  bottleneck.on('scheduled', ({ args: [grant] }) => {
    grant.requestedAtMs = lastRequestedAtMs();
  });
  return {
    schedule: (options, use) =>
      bottleneck.schedule(options, (grant: SlotGrant) => use(grant.requestedAtMs), { requestedAtMs: 0 }),
    async resize(slots) {
      await bottleneck.updateSettings({ maxConcurrent: slots });
    },
    close: () => bottleneck.disconnect(),
  };
}
