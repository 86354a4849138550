import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import type { Operation } from '../../../operations/define/operation.ts';
import { createManageMonitorOperations } from '../../shared/monitor/manage-monitors.ts';
import { monitorNextSteps } from '../../shared/monitor/monitor.ts';
import type { TellChannels } from '../../shared/tell-channels.ts';
import type { IncidentNotifier } from '../delivery/incident-notifier.ts';
import { watchArgument } from '../planning/watch-arguments.ts';
import { toWatchPlanInput } from '../planning/watch-planner.ts';
import type { Watch } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';

interface ManageWatchesDependencies {
  readonly store: WatchStore;
  readonly watches: ChoiceSource;
  readonly closeIncident: IncidentNotifier['close'];
  readonly tellChannels: TellChannels;
  readonly scheduleEvaluation: (teamId: string) => Promise<void>;
  readonly now: () => number;
}

/** Declares the operations that pause, resume and delete watches. */
export function createManageWatchOperations(dependencies: ManageWatchesDependencies): readonly Operation[] {
  const { store, watches, closeIncident, tellChannels, scheduleEvaluation, now } = dependencies;

  const tell = ({ teamId, channel, name }: Watch, what: string, by: string) =>
    tellChannels(teamId, [channel], {
      title: `🔕 Watch "${name}" no longer alerts here`,
      facts: [{ label: what, value: { kind: 'person', person: by } }],
    });

  return createManageMonitorOperations<Watch>({
    kind: 'watch',
    store,
    nameArgument: watchArgument(watches),
    async pause(watch, byUserId) {
      const isPaused = (await store.pause(watch, 'person', byUserId, now())) !== undefined;
      if (isPaused) {
        await closeIncident(watch, 'the watch was paused');
        await tell(watch, 'Paused by', byUserId);
      }
      return isPaused;
    },
    async resume(watch, createdBy) {
      if (!(await store.resume(watch, createdBy))) return undefined;
      await scheduleEvaluation(watch.teamId);
      return [];
    },
    async remove(watch, byUserId) {
      const isDeleted = await store.delete(watch);
      if (isDeleted) {
        await closeIncident(watch, 'the watch was deleted');
        await tell(watch, 'Deleted by', byUserId);
      }
      return isDeleted;
    },
    nextSteps: (name, isPaused) => monitorNextSteps('watch', name, isPaused),
    addAgainLabel: 'Watch Again',
    toPlanInput: toWatchPlanInput,
  });
}
