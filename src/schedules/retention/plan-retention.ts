import type { Snapshot } from '../../hosting/profile/resources/vps/snapshots.ts';
import { isComplete } from '../../operations/snapshot/snapshot-state.ts';
import { type Schedule, zoneOf } from '../schedule.ts';
import { selectKept } from './select-kept.ts';
import type { ScheduledSnapshot } from './snapshot-store.ts';

interface RetentionPlan {
  /** Names of the snapshots to delete, oldest first. */
  readonly deletions: string[];
  /** Names of snapshots that the service no longer lists. Someone has deleted them. */
  readonly gone: readonly string[];
  /** Names of snapshots that are now complete but aren't stored as such. */
  readonly completed: readonly string[];
}

/**
 * Plans which of the snapshots that a schedule has taken of one VPS to delete. Incomplete snapshots
 * are neither deleted nor counted as kept.
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
  const kept = schedule.keep ? selectKept(complete, schedule.keep, zoneOf(schedule)) : new Set(complete);
  return {
    deletions: complete.filter((one) => !kept.has(one)).map(({ name }) => name),
    gone: hasMore
      ? []
      : own.filter(({ name, state }) => state === 'available' && !stateOf.has(name)).map(({ name }) => name),
    completed: complete.filter(({ state }) => state === 'taking').map(({ name }) => name),
  };
}
