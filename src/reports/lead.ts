import { collectingMs, type Pace } from './pace.ts';

/** A time of a report, as the calls that are made for it. */
export interface Coming {
  readonly dueMs: number;
  readonly calls: number;
  /** Names what is read: the same for reports that read the same. */
  readonly reads: string;
}

/** What is read for a report serves others that are due at most so long after it, or before. */
const sharedWithinMs = 60_000;

/**
 * Gives how long before it is due a report must begin, in ms, so that it comes on time beside others that are collected meanwhile. `isSharing` tells
 * whether what is read for one of them serves the others.
 */
export function leadMs(own: Coming, others: readonly Coming[], pace: Pace, isSharing: boolean): number {
  const counted = [own];
  const isShared = (coming: Coming) =>
    isSharing &&
    counted.some(
      ({ reads, dueMs }) => reads === coming.reads && Math.abs(dueMs - coming.dueMs) <= sharedWithinMs,
    );
  for (;;) {
    const calls = counted.reduce((sum, coming) => sum + coming.calls, 0);
    const lengthMs = collectingMs(calls, pace);
    const beginMs = own.dueMs - lengthMs;
    const next = others.find(
      (other) =>
        !counted.includes(other) &&
        !isShared(other) &&
        other.dueMs > beginMs &&
        other.dueMs - collectingMs(other.calls, pace) < own.dueMs,
    );
    if (!next) return lengthMs;
    counted.push(next);
  }
}
