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
 * Tells the channel of a watch which VPS it can't read, and later that it can read them again.
 * Returns the watch as it was then stored, or undefined if it was paused or changed in the
 * meantime.
 */
export type UnreadNotifier = (
  watch: Watch,
  /** Whether the watch is silent about a VPS, because someone works on it. */
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
    // The next cycle sends it if Slack didn't accept it now.
    if (posted.kind !== 'posted') return watch;
    return store.saveAlertState(watch, { ...watch.alertState, vpsStates: notice.vpsStates });
  };
}
