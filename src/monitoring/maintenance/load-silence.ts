import type { LoadSilence } from '../shared/silences/silence.ts';
import { isVpsSelected } from '../shared/vps-selection.ts';
import { findCurrent, type MaintenanceStore } from './maintenance-store.ts';
import { graceMs, type ListRecentActs } from './recent-acts.ts';

interface SilenceDependencies {
  readonly store: Pick<MaintenanceStore, 'list'>;
  readonly listRecentActs: ListRecentActs;
}

/**
 * Creates the function that loads which VPS are in maintenance, or were just interrupted by
 * Rackhand.
 */
export function createSilenceLoader({ store, listRecentActs }: SilenceDependencies): LoadSilence {
  return async (teamId, nowMs) => {
    const current = (await store.list(teamId)).flatMap((window) => {
      const occurrence = findCurrent(window, nowMs);
      return occurrence ? [{ vps: window.vps, untilMs: occurrence.untilMs }] : [];
    });
    const acts = await listRecentActs(teamId, nowMs - graceMs);
    return {
      untilMs(vps) {
        const ends = [
          ...current.filter((window) => isVpsSelected(window.vps, vps)).map(({ untilMs }) => untilMs),
          ...acts.filter((act) => act.vps === vps.name).map(({ sentMs }) => sentMs + graceMs),
        ];
        return ends.length === 0 ? undefined : Math.max(...ends);
      },
    };
  };
}
