import { z } from 'zod';
import type { Clock } from '../../../jobs/clock.ts';
import type { Outbox } from '../../../messages/outbox.ts';
import type { LabelVps } from '../../../operations/format/label-vps.ts';
import type { LabelVpsFor } from '../../../runs/team-labels.ts';
import { createPauseOnGivenUp, type Pauses } from '../../shared/pauses/pauses.ts';
import { formatShortList } from '../../shared/text-format.ts';
import { type Condition, measureName } from '../condition.ts';
import { fleetListKey } from '../evaluation/next-alert-state.ts';
import { formatUnreadReason, type UnreadReason } from '../evaluation/unread-reason.ts';
import { shouldStore } from '../evaluation/vps-alert-state.ts';
import type { AlertState, Watch } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';

const maxNames = 5;

/** How long a VPS must be unreadable before the channel is notified. A single failed call causes no message. */
export const unreadNoticeAfterMs = 10 * 60_000;

/** VPS that a watch can't evaluate for the same reason. */
export interface UnreadGroup {
  /** Contains only `fleetListKey` if the VPS can't be listed. */
  readonly vps: readonly string[];
  readonly reason: UnreadReason;
  /** When the first of the VPS became unreadable. */
  readonly sinceMs: number;
}

/** Groups unreadable VPS by reason, leaving out those that became unreadable after `untilMs`. */
export function groupUnread(
  { vpsStates }: Pick<AlertState, 'vpsStates'>,
  untilMs = Number.POSITIVE_INFINITY,
  isIncluded: (state: AlertState['vpsStates'][string], name: string) => boolean = () => true,
): readonly UnreadGroup[] {
  const unread = Object.entries(vpsStates).flatMap(([name, state]) =>
    state.unreadMs !== null && state.unreadMs <= untilMs && isIncluded(state, name)
      ? [{ name, reason: state.unreadReason ?? 'failed', sinceMs: state.unreadMs }]
      : [],
  );
  const list = unread.find(({ name }) => name === fleetListKey);
  if (list) return [{ vps: [fleetListKey], reason: list.reason, sinceMs: list.sinceMs }];
  return [...Map.groupBy(unread, ({ reason }) => reason)].map(([reason, group]) => ({
    vps: group.map(({ name }) => name),
    reason,
    sinceMs: Math.min(...group.map(({ sinceMs }) => sinceMs)),
  }));
}

/** Formats what can't be read: `CPU of VPS-10001 and VPS-10002`, `the list of VPS`. */
export function formatUnreadSubject(
  condition: Condition,
  vps: readonly string[],
  labelVps: LabelVps,
): string {
  if (vps.includes(fleetListKey)) return 'the list of VPS';
  const measure = condition.measure === 'state' ? 'the state' : measureName(condition);
  return `${measure} of ${formatShortList(vps.map(labelVps), maxNames)}`;
}

/** A channel message about VPS that can't be read, or can be read again. */
export interface UnreadNotice {
  readonly formatText: (labelVps: LabelVps) => string;
  /** The states to store when the message is posted. */
  readonly vpsStates: AlertState['vpsStates'];
}

/**
 * Returns the notice that is due in a watch's channel, or undefined if none is due. VPS that are off aren't mentioned.
 */
export function nextUnreadNotice(
  { name, condition, alertState }: Pick<Watch, 'name' | 'condition' | 'alertState'>,
  nowMs: number,
  isSilent: (vps: string) => boolean = () => false,
): UnreadNotice | undefined {
  const { vpsStates } = alertState;
  const unread = groupUnread(
    alertState,
    nowMs - unreadNoticeAfterMs,
    ({ unreadToldMs, unreadReason }, vps) =>
      unreadToldMs === null && unreadReason !== 'off' && !isSilent(vps),
  );
  const readable = Object.keys(vpsStates).filter((vps) => {
    const { unreadMs = null, unreadToldMs = null } = vpsStates[vps] ?? {};
    return unreadToldMs !== null && unreadMs === null;
  });
  if (unread.length === 0 && readable.length === 0) return undefined;
  const notifiedVps = new Set(unread.flatMap(({ vps }) => vps));
  const formatSentences = (labelVps: LabelVps) => [
    ...unread.map(
      ({ vps, reason }) =>
        `can't read ${formatUnreadSubject(condition, vps, labelVps)}: ${formatUnreadReason(reason)}. No alert is possible until that changes.`,
    ),
    ...(readable.length === 0
      ? []
      : [`can read ${formatUnreadSubject(condition, readable, labelVps)} again.`]),
  ];
  return {
    formatText: (labelVps) =>
      formatSentences(labelVps)
        .map((sentence) => `Watch "${name}" ${sentence}`)
        .join('\n'),
    vpsStates: Object.fromEntries(
      Object.entries(vpsStates).flatMap(([vps, state]) => {
        if (notifiedVps.has(vps)) return [[vps, { ...state, unreadToldMs: nowMs }]];
        if (!readable.includes(vps)) return [[vps, state]];
        const next = { ...state, unreadToldMs: null };
        return shouldStore(next) ? [[vps, next]] : [];
      }),
    ),
  };
}

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
 * Notifies a watch's channel when VPS become unreadable and when they can be read again. Returns the stored watch, or
 * undefined if someone else has changed it.
 */
export type UnreadNotifier = (
  watch: Watch,
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
