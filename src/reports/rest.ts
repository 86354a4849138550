import type { Pauses } from './pauses.ts';
import type { ReportStore } from './schedule/report-store.ts';

/** Creates what lets an active report rest, and tells whoever planned it where nobody wished that; `false` where it rests already. */
export function createRest(
  store: Pick<ReportStore, 'pause'>,
  pauses: Pick<Pauses, 'tell'>,
): ReportStore['pause'] {
  return async (id, why, nowMs) => {
    const isPaused = await store.pause(id, why, nowMs);
    if (isPaused && why.byUserId === null) await pauses.tell();
    return isPaused;
  };
}
