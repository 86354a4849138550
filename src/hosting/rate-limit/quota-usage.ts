import type { KeyCall, KeyQueue } from './key-queue.ts';
import { defaultQuotaLimit, type Lane, mapLanes, toSlotLimits } from './lanes.ts';
import type { KeyLoad, Ledger, LimiterContext, WaitReason } from './ledger/ledger.ts';
import { estimateWait, type WaitEstimate } from './wait-estimate.ts';

export interface QuotaUsage {
  readonly limit: number;
  /** Number of slots that the background lane can use. */
  readonly backgroundLimit: number;
  /** Number of slots that one report, or another line of the background lane, can use. */
  readonly backgroundLineLimit: number;
  /** How long a call holds its slot after its response, in ms: the window plus a margin. */
  readonly holdMs: number;
  /** Number of slots held by calls of the last window, on all replicas. */
  readonly used: Readonly<Record<Lane, number>>;
  /** How many slots the person who asks uses, and how many one person can use. */
  readonly ownPeople: { readonly used: number; readonly limit: number };
  /** Number of calls in this process that wait for a slot. */
  readonly waiting: Readonly<Record<Lane, number>>;
  /** How many ms a new call would wait. */
  readonly waitMs: Readonly<Record<Lane, number>>;
  /** Why a new call would wait. */
  readonly waitReason: Readonly<Record<Lane, WaitReason>>;
}

/** Slots in use and calls that wait, of all keys that this process uses. */
export type QuotaTotals = Pick<QuotaUsage, 'used' | 'waiting'>;

/** Asks how long a call of a line would wait. */
interface WaitQuestion extends Pick<KeyCall, 'lane' | 'line'> {
  readonly fingerprint: string;
  readonly limit: number;
  /** The waiting call. If there is none, a new one is meant. */
  readonly call?: KeyCall;
}

/** Reads how much of the quotas is used. Sends no requests. */
interface QuotaUsageReader {
  /** Records that this process uses a key, so that the totals include it. */
  markUsed(fingerprint: string): void;
  estimate(question: WaitQuestion): Promise<WaitEstimate>;
  usage(fingerprint: string, limit?: number, line?: string): Promise<QuotaUsage>;
  totals(): Promise<QuotaTotals>;
}

export function createQuotaUsage(
  queues: ReadonlyMap<string, KeyQueue>,
  ledger: Ledger,
  { shares, timing, clock }: LimiterContext,
): QuotaUsageReader {
  /** When a key was last used by this process. */
  const usedAtMs = new Map<string, number>();

  function estimate(load: KeyLoad, { fingerprint, limit, lane, line, call }: WaitQuestion): WaitEstimate {
    const before = queues.get(fingerprint)?.countBefore(lane, line, call) ?? {
      lane: mapLanes(() => 0),
      line: 0,
    };
    const limits = toSlotLimits(limit, shares);
    return estimateWait({ lane, line, before, limits, load, holdMs: timing.holdMs });
  }

  return {
    markUsed: (fingerprint) => void usedAtMs.set(fingerprint, clock()),
    estimate: async (question) => estimate(await ledger.load(question.fingerprint), question),

    async usage(fingerprint, limit = defaultQuotaLimit, line = '') {
      const load = await ledger.load(fingerprint);
      const { heldSlots } = load;
      const limits = toSlotLimits(limit, shares);
      const waits = {
        people: estimate(load, { fingerprint, limit, lane: 'people', line }),
        background: estimate(load, { fingerprint, limit, lane: 'background', line: '' }),
      };
      const ofPeople = heldSlots.filter((slot) => slot.lane === 'people');
      return {
        limit,
        backgroundLimit: limits.background,
        backgroundLineLimit: limits.line.background,
        holdMs: timing.holdMs,
        used: mapLanes((lane) => heldSlots.filter((slot) => slot.lane === lane).length),
        ownPeople: {
          used: ofPeople.filter((slot) => slot.line === line).length,
          limit: limits.line.people,
        },
        waiting: mapLanes((lane) => queues.get(fingerprint)?.list(lane).length ?? 0),
        waitMs: mapLanes((lane) => waits[lane].waitMs),
        waitReason: mapLanes((lane) => waits[lane].reason),
      };
    },

    async totals() {
      for (const [fingerprint, atMs] of usedAtMs) {
        if (!queues.has(fingerprint) && clock() - atMs > timing.expirationMs) usedAtMs.delete(fingerprint);
      }
      const loads = await Promise.all([...usedAtMs.keys()].map((fingerprint) => ledger.load(fingerprint)));
      const held = loads.flatMap(({ heldSlots }) => heldSlots);
      return {
        used: mapLanes((lane) => held.filter((slot) => slot.lane === lane).length),
        waiting: mapLanes((lane) =>
          [...queues.values()].reduce((count, queue) => count + queue.list(lane).length, 0),
        ),
      };
    },
  };
}
