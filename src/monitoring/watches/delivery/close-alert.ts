import type { Database } from '../../../db/engines/database.ts';
import type { Outbox } from '../../../messages/outbox.ts';
import { createPostOutcome, outcomeContent } from '../../../messages/post-outcome.ts';
import { createPauses, type Pauses, type PausesDependencies } from '../../shared/pauses/pauses.ts';
import type { Watch } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';
import { alertKind, toAlertDestination, toAlertKey } from './alert-notifier.ts';
import { formatClosed } from './format-alert.ts';

/** Closes the alert's message in the transaction that stops the watch. */
export type CloseAlert = (watch: Watch, why: string, transaction: Database) => Promise<void>;

export function createCloseAlert(outbox: Pick<Outbox, 'put' | 'find'>): CloseAlert {
  const post = createPostOutcome(outbox);
  return async (watch, why, transaction) => {
    const { teamId, name, alertState } = watch;
    if (!alertState.alert) return;
    const key = toAlertKey(watch, alertState.alert);
    const message = await outbox.find(teamId, key, transaction);
    const isNeverShown = message?.ref === null && message.givenUpMs !== null;
    if (!message || isNeverShown) return;
    const { outcome, ping, picture } = outcomeContent.parse(message.content);
    const options = { kind: alertKind, ping, picture, transaction };
    await post(key, toAlertDestination(watch), formatClosed(name, outcome, why), options);
  };
}

/** Creates the functions that pause watches on Rackhand's behalf. Pausing a watch also closes its alert. */
export function createWatchPauses(
  store: Pick<WatchStore, 'pause'>,
  outbox: Pick<Outbox, 'put' | 'find' | 'transact'>,
  dependencies: Pick<PausesDependencies<Watch>, 'runs' | 'listAdmins' | 'clock'>,
): Pauses<Watch> {
  const closeAlert = createCloseAlert(outbox);
  return createPauses<Watch>({
    ...dependencies,
    kind: 'watch',
    store: {
      async pause(watch, pause, nowMs, transaction) {
        const paused = await store.pause(watch, pause, nowMs, transaction);
        if (paused) await closeAlert(watch, 'the watch was paused', transaction);
        return paused;
      },
    },
    postOutcome: createPostOutcome(outbox),
    transact: outbox.transact,
  });
}
