import type { Snapshot } from '../../hosting/payloads/snapshots.ts';
import { isComplete } from '../../operations/snapshot/snapshot-state.ts';
import { dayMs } from '../../time/units.ts';
import { createWallClock } from '../../time/wall-clock.ts';
import type { Schedule } from '../schedule.ts';
import type { ScheduledSnapshot } from '../schedule-store.ts';
import { type KeepRule, periods } from './keep-rule.ts';

interface RetentionPlan {
  /** Snapshot names, oldest first. */
  readonly deletions: string[];
  /** Snapshots that the service no longer lists, because someone deleted them. */
  readonly gone: readonly string[];
  /** Snapshots that are complete but not yet stored as such. */
  readonly completed: readonly string[];
}

/**
 * Decides which of a schedule's snapshots of one VPS to delete. Incomplete snapshots are neither deleted nor counted as
 * kept.
 */
export function planRetention(
  schedule: Pick<Schedule, 'keep' | 'timing'>,
  own: readonly ScheduledSnapshot[],
  {
    snapshots: listed,
    hasMore,
  }: { readonly snapshots: readonly Pick<Snapshot, 'name' | 'state'>[]; readonly hasMore: boolean },
): RetentionPlan {
  const stateOf = new Map(listed.map(({ name, state }) => [name, state]));
  const complete = own.filter(({ name }) => isComplete(stateOf.get(name)));
  const kept = schedule.keep ? selectKept(complete, schedule.keep, schedule.timing.zone) : new Set(complete);
  return {
    deletions: complete.filter((one) => !kept.has(one)).map(({ name }) => name),
    gone: hasMore
      ? []
      : own.filter(({ name, state }) => state === 'available' && !stateOf.has(name)).map(({ name }) => name),
    completed: complete.filter(({ state }) => state === 'taking').map(({ name }) => name),
  };
}

interface Dated {
  readonly takenMs: number;
}

/** Weeks begin on Monday. The epoch was a Thursday. */
const mondayOffsetMs = 3 * dayMs;

/** Returns the key of the period that contains a wall time. Times in the same period have the same key. */
const toPeriodKey: Readonly<Record<keyof KeepRule, (wallMs: number) => number | string>> = {
  hours: (wallMs) => Math.floor(wallMs / 3_600_000),
  days: (wallMs) => Math.floor(wallMs / dayMs),
  weeks: (wallMs) => Math.floor((wallMs + mondayOffsetMs) / (7 * dayMs)),
  months: (wallMs) => new Date(wallMs).toISOString().slice(0, 7),
  years: (wallMs) => new Date(wallMs).getUTCFullYear(),
};

/**
 * Returns the snapshots to keep: the last one in each period, for as many periods as the rule says. Periods follow the
 * zone's calendar. Periods without a snapshot don't count, so failed snapshots never cause older ones to be deleted.
 * The newest snapshot is always kept.
 */
export function selectKept<One extends Dated>(
  snapshots: readonly One[],
  rule: KeepRule,
  zone: string,
): ReadonlySet<One> {
  const { wallMsAt } = createWallClock(zone);
  const newestFirst = snapshots
    .map((snapshot) => ({ snapshot, wallMs: wallMsAt(snapshot.takenMs) }))
    .sort((a, b) => b.snapshot.takenMs - a.snapshot.takenMs);
  const kept = new Set<One>();
  const [newest] = newestFirst;
  if (newest) kept.add(newest.snapshot);
  for (const period of periods) {
    const seen = new Set<number | string>();
    for (const { snapshot, wallMs } of newestFirst) {
      if (seen.size >= rule[period]) break;
      const key = toPeriodKey[period](wallMs);
      if (!seen.has(key)) kept.add(snapshot);
      seen.add(key);
    }
  }
  return kept;
}
