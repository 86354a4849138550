import { z } from 'zod';
import type { Clock } from '../../../jobs/clock.ts';
import type { Outbox } from '../../../messages/outbox.ts';
import type { LabelVpsFor } from '../../../runs/team-labels.ts';
import { createPauseOnGivenUp, type Pauses } from '../../shared/pauses/pauses.ts';
import type { Watch } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';
import { nextUnreadNotice } from './unread-vps.ts';

/** The kind of the messages about VPS that a watch can't read. */
export const unreadKind = 'unread';

export const unreadContent = z.object({ text: z.string() });

interface UnreadNotifierDependencies {
  readonly store: Pick<WatchStore, 'saveAlertState' | 'get'>;
  readonly outbox: Pick<Outbox, 'put' | 'transact' | 'onGivenUp'>;
  readonly pauseIn: Pauses<Watch>['pauseIn'];
  readonly labelVpsFor: LabelVpsFor;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Notifies the channel of a watch about VPS that can't be read, and later that they can be read
 * again. Returns the stored watch, or undefined if the watch has changed.
 */
export type UnreadNotifier = (
  watch: Watch,
  /** Returns whether a VPS is muted by maintenance. */
  isSilent?: (vps: string) => boolean,
) => Promise<Watch | undefined>;

export function createUnreadNotifier({
  store,
  outbox,
  pauseIn,
  labelVpsFor,
  clock,
}: UnreadNotifierDependencies): UnreadNotifier {
  outbox.onGivenUp(unreadKind, createPauseOnGivenUp({ pauseIn }, store.get));

  return async (watch, isSilent) => {
    const { id, teamId, channel, name } = watch;
    const nowMs = clock.now();
    const notice = nextUnreadNotice(watch, nowMs, isSilent);
    if (!notice) return watch;
    const content = { text: notice.formatText(await labelVpsFor(teamId)) };
    return outbox.transact(async (transaction) => {
      const alertState = { ...watch.alertState, vpsStates: notice.vpsStates };
      const saved = await store.saveAlertState(watch, alertState, transaction);
      if (saved) {
        const state = { kind: unreadKind, content, about: `Watch "${name}"` };
        await outbox.put(`${unreadKind}:${id}:${nowMs}`, { teamId, channel }, state, transaction);
      }
      return saved;
    });
  };
}
