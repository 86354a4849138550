import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import type { Operation } from '../../../operations/define/operation.ts';
import { createManageMonitorOperations } from '../../shared/monitor/manage-monitors.ts';
import { monitorNextSteps } from '../../shared/monitor/monitor.ts';
import type { IncidentNotifier } from '../delivery/incident-notifier.ts';
import { watchArgument } from '../planning/watch-arguments.ts';
import { toWatchPlanInput } from '../planning/watch-planner.ts';
import type { Watch } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';

interface ManageWatchesDependencies {
  readonly store: WatchStore;
  readonly watches: ChoiceSource;
  readonly closeIncident: IncidentNotifier['close'];
  readonly scheduleEvaluation: (teamId: string) => Promise<void>;
  readonly now: () => number;
}

/** Declares the operations that pause, resume and delete watches. */
export function createManageWatchOperations(dependencies: ManageWatchesDependencies): readonly Operation[] {
  const { store, watches, closeIncident, scheduleEvaluation, now } = dependencies;
  return createManageMonitorOperations<Watch>({
    kind: 'watch',
    store,
    nameArgument: watchArgument(watches),
    async pause(watch, byUserId) {
      const isPaused = (await store.pause(watch, 'person', byUserId, now())) !== undefined;
      if (isPaused) await closeIncident(watch, 'the watch was paused');
      return isPaused;
    },
    async resume(watch) {
      if (!(await store.resume(watch))) return undefined;
      await scheduleEvaluation(watch.teamId);
      return [];
    },
    async remove(watch) {
      const isDeleted = await store.delete(watch);
      if (isDeleted) await closeIncident(watch, 'the watch was deleted');
      return isDeleted;
    },
    nextSteps: (name, isPaused) => monitorNextSteps('watch', name, isPaused),
    addAgainLabel: 'Watch Again',
    toPlanInput: toWatchPlanInput,
  });
}
