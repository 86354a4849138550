import type { Logger } from 'pino';
import { createMuteStore } from '../reports/mutes/mute-store.ts';
import { createMuteOperations } from '../reports/mutes/operations.ts';
import { createReports } from '../reports/reports.ts';
import type { Clock } from '../reports/schedule/clock.ts';
import { createWatches, type Watches } from '../watches/watches.ts';
import type { Ground } from './ground.ts';
import type { Speakers } from './speakers.ts';

/** Creates what looks at fleets without being asked: reports and watches, each of which leaves the other its part of the background lane. */
export function createMonitoring(
  { db, shared, hosting: hostingFor, runs }: Ground,
  voices: Pick<Speakers, 'reports' | 'watches'>,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
) {
  const parts = { db, hostingFor, runs, clock, shared, log };
  const mutes = createMuteStore(db);
  const reports = createReports({
    ...parts,
    voice: voices.reports,
    mutes,
    othersPerMinute: (teamId) => watches.callsPerMinute(teamId),
  });
  const watches: Watches = createWatches({
    ...parts,
    voice: voices.watches,
    mutes: mutes.list,
    reportsPerMinute: reports.callsPerMinute,
  });
  const muting = createMuteOperations({ store: mutes, now: clock.now });
  return {
    groups: [
      { heading: 'Reports', operations: reports.operations },
      { heading: 'Watches', operations: [...watches.operations, ...muting] },
    ],
    /** Lets reports come and watches look from now on. */
    async start() {
      await reports.start();
      await watches.start();
    },
    /** Resolves when nothing is worked on any more; what is not over is taken up by the next process. */
    async stop() {
      await Promise.all([reports.stop(), watches.stop()]);
    },
    /** The app is not in a workspace any more: all of it is forgotten. */
    async departed(teamId: string) {
      await Promise.all([reports.departed(teamId), watches.departed(teamId), mutes.forgetAllOf(teamId)]);
    },
  };
}
