import type { Operation } from '../operations/operation.ts';
import { createMuteStore } from '../reports/mutes/mute-store.ts';
import { createMuteOperations } from '../reports/mutes/operations.ts';
import { createReports } from '../reports/reports.ts';
import type { ReportVoice } from '../reports/voice.ts';
import type { WatchVoice } from './voice.ts';
import { createWatches, type Watches, type WatchesParts } from './watches.ts';

interface MonitoringParts
  extends Pick<WatchesParts, 'db' | 'hostingFor' | 'runs' | 'clock' | 'shared' | 'log'> {
  readonly reportVoice: ReportVoice;
  readonly watchVoice: WatchVoice;
}

/** What looks at the fleets of all workspaces by itself: reports, watches, and what mutes VPS in both. */
export interface Monitoring {
  /** As the help shows them. */
  readonly groups: readonly { readonly heading: string; readonly operations: readonly Operation[] }[];
  /** Lets reports come and watches look from now on. */
  start(): Promise<void>;
  /** Resolves when nothing is worked on any more; what is not over is taken up by the next process. */
  stop(): Promise<void>;
  /** The app is not in a workspace any more: all of it is forgotten. */
  departed(teamId: string): Promise<void>;
}

/** Creates reports and watches, each of which leaves the other its part of the background lane. */
export function createMonitoring({ reportVoice, watchVoice, ...parts }: MonitoringParts): Monitoring {
  const mutes = createMuteStore(parts.db);
  const reports = createReports({
    ...parts,
    voice: reportVoice,
    mutes,
    othersPerMinute: (teamId) => watches.callsPerMinute(teamId),
  });
  const watches: Watches = createWatches({
    ...parts,
    voice: watchVoice,
    reportsPerMinute: reports.callsPerMinute,
    mutes: mutes.list,
  });
  const muting = createMuteOperations({ store: mutes, now: parts.clock.now });

  return {
    groups: [
      { heading: 'Reports', operations: reports.operations },
      { heading: 'Watches', operations: [...watches.operations, ...muting] },
    ],
    async start() {
      await reports.start();
      await watches.start();
    },
    async stop() {
      await Promise.all([reports.stop(), watches.stop()]);
    },
    async departed(teamId) {
      await reports.departed(teamId);
      await watches.departed(teamId);
      await mutes.forgetAllOf(teamId);
    },
  };
}
