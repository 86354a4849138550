import type { PauseNotifier } from '../shared/pauses/pause-notifier.ts';
import type { ReportStore } from './report-store.ts';

/**
 * Returns a function that pauses an active report. If Rackhand paused it, the function notifies its
 * creator. Resolves to false if the report was already paused.
 */
export function createPauseAndNotify(
  store: Pick<ReportStore, 'pause'>,
  pauseNotifier: Pick<PauseNotifier, 'notify'>,
): ReportStore['pause'] {
  return async (id, why, nowMs) => {
    const isPaused = await store.pause(id, why, nowMs);
    if (isPaused && why.byUserId === null) await pauseNotifier.notify();
    return isPaused;
  };
}
