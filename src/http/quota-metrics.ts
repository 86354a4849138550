import { Gauge, Histogram, type Registry } from 'prom-client';

type CountByLane = Readonly<Record<'people' | 'background', number>>;

/** Calls of this process that use a slot of a quota, and calls that wait for one. */
export interface QuotaCounts {
  readonly used: CountByLane;
  readonly waiting: CountByLane;
}

export interface QuotaMetrics {
  /** Records how long a call waited for its slot. */
  waited(lane: string, waitedMs: number): void;
  /** Sets the function that reads the counts. */
  measureCounts(read: () => QuotaCounts): void;
  refresh(): void;
}

/** In seconds. A wait can take several windows of 60 s. */
const waitBuckets = [0.01, 0.1, 1, 5, 15, 30, 60, 120, 300];

/** Adds the metrics of the quota. */
export function createQuotaMetrics(registry: Registry): QuotaMetrics {
  let readCounts = (): QuotaCounts | undefined => undefined;
  const registers = [registry];
  const labelNames = ['lane'];
  const waits = new Histogram({
    name: 'rackhand_quota_wait_seconds',
    help: "Time that calls waited for a slot of their API key's quota.",
    labelNames,
    buckets: waitBuckets,
    registers,
  });
  const used = new Gauge({
    name: 'rackhand_quota_used',
    help: 'Slots of the quota that calls of this process use.',
    labelNames,
    registers,
  });
  const waiting = new Gauge({
    name: 'rackhand_quota_waiting',
    help: 'Calls in this process that wait for a slot of the quota.',
    labelNames,
    registers,
  });
  return {
    waited: (lane, waitedMs) => waits.observe({ lane }, waitedMs / 1_000),
    measureCounts(read) {
      readCounts = read;
    },
    refresh() {
      const counts = readCounts();
      for (const [gauge, lanes] of [
        [used, counts?.used],
        [waiting, counts?.waiting],
      ] as const) {
        gauge.reset();
        for (const [lane, count] of Object.entries(lanes ?? {})) gauge.set({ lane }, count);
      }
    },
  };
}
