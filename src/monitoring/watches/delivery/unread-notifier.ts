import type { Clock } from '../../../jobs/clock.ts';
import type { LabelVpsFor } from '../../../runs/team-labels.ts';
import type { Watch } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';
import type { IncidentPublisher } from './incident-publisher.ts';
import { nextUnreadNotice } from './unread-vps.ts';

interface UnreadNotifierDependencies {
  readonly store: Pick<WatchStore, 'saveAlertState' | 'pause'>;
  readonly publisher: Pick<IncidentPublisher, 'postText'>;
  readonly labelVpsFor: LabelVpsFor;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Notifies the channel of a watch about VPS that can't be read, and later that they can be read
 * again. Returns the stored watch, or undefined if the watch was paused or has changed.
 */
export type UnreadNotifier = (
  watch: Watch,
  /** Returns whether a VPS is muted by maintenance. */
  isSilent?: (vps: string) => boolean,
) => Promise<Watch | undefined>;

export function createUnreadNotifier({
  store,
  publisher,
  labelVpsFor,
  clock,
}: UnreadNotifierDependencies): UnreadNotifier {
  return async (watch, isSilent) => {
    const notice = nextUnreadNotice(watch, clock.now(), isSilent);
    if (!notice) return watch;
    const posted = await publisher.postText(watch, notice.formatText(await labelVpsFor(watch.teamId)));
    if (posted.kind === 'channelGone') {
      await store.pause(watch, 'channel', null, clock.now());
      return undefined;
    }
    // If Slack didn't accept the notice now, the next cycle sends it.
    if (posted.kind !== 'posted') return watch;
    return store.saveAlertState(watch, { ...watch.alertState, vpsStates: notice.vpsStates });
  };
}
