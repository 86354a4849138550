import { randomUUID } from 'node:crypto';
import { toGranteeKind } from '../../../auth/grants/grantee.ts';
import type { Recipients } from '../../../auth/recipients.ts';
import type { Database } from '../../../db/engines/database.ts';
import type { Clock } from '../../../jobs/clock.ts';
import type { Destination } from '../../../messages/message.ts';
import type { Outbox } from '../../../messages/outbox.ts';
import { createPostOutcome } from '../../../messages/post-outcome.ts';
import type { Outcome } from '../../../operations/define/outcome.ts';
import type { LabelVpsFor } from '../../../runs/team-labels.ts';
import { createPauseOnGivenUp, type Pauses } from '../../shared/pauses/pauses.ts';
import { type Alert, isAlertOpen } from '../evaluation/alert.ts';
import type { Watch } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';
import { type FindChangeFacts, formatAlert, formatJoined, formatOptionsOf } from './format-alert.ts';

interface AlertNotifierDependencies {
  readonly store: Pick<WatchStore, 'saveAlertState' | 'changeAlert' | 'get'>;
  readonly pauseIn: Pauses<Watch>['pauseIn'];
  readonly outbox: Pick<Outbox, 'put' | 'transact' | 'onGivenUp' | 'onMoved'>;
  readonly recipients: Pick<Recipients, 'findProblem'>;
  /** Schedules an alert's escalation in the transaction that first shows the alert. */
  readonly scheduleEscalation: (watch: Watch, alert: Alert, transaction: Database) => Promise<void>;
  /** Schedules an alert's chart in the transaction that first shows the alert. */
  readonly schedulePicture: (watch: Watch, alert: Alert, transaction: Database) => Promise<void>;
  readonly labelVpsFor: LabelVpsFor;
  readonly findChangeFacts: FindChangeFacts;
  readonly clock: Pick<Clock, 'now'>;
}

/** Keeps the alert messages in channels up to date. */
export interface AlertNotifier {
  /** Posts or updates the alert's message if needed. Does nothing if someone else has changed the watch. */
  (watch: Watch): Promise<void>;
  /** Updates the alert's message after a person's action. */
  refresh(watch: Watch): Promise<void>;
  /** Replies in the alert's thread, optionally pinging someone. */
  reply(watch: Watch, outcome: Outcome, ping: string | undefined, transaction: Database): Promise<void>;
}

export const alertKind = 'alert';

/**
 * How often the figures and durations in an alert's message are updated if nothing else changes. Edits notify no one.
 */
const refreshMs = 10 * 60_000;

export function createAlertNotifier({
  store,
  outbox,
  recipients,
  scheduleEscalation,
  schedulePicture,
  pauseIn,
  labelVpsFor,
  findChangeFacts,
  clock,
}: AlertNotifierDependencies): AlertNotifier {
  const post = createPostOutcome(outbox);
  const formatOptions = (watch: Watch, alert: Alert) =>
    formatOptionsOf(watch, alert, { recipients, labelVpsFor, findChangeFacts, clock });

  /**
   * Returns the person or group to ping when an alert's message is posted, or undefined if there is none
   * or they can't be pinged.
   */
  async function findPing({ teamId, notify }: Watch): Promise<string | undefined> {
    if (notify === undefined) return undefined;
    return (await recipients.findProblem(teamId, notify)) === undefined ? notify : undefined;
  }

  async function notify(watch: Watch): Promise<void> {
    const { alert } = watch.alertState;
    if (!alert || !shouldRefresh(alert)) return;
    const options = await formatOptions(watch, alert);
    const outcome = formatAlert(options);
    const ping = await findPing(watch);
    const key = toAlertKey(watch, alert);
    const isFirst = alert.response.postedMs === null;
    await outbox.transact(async (transaction) => {
      const nowMs = clock.now();
      const shown = {
        ...alert,
        joined: [],
        isStale: false,
        shownMs: nowMs,
        response: { ...alert.response, postedMs: alert.response.postedMs ?? nowMs },
      };
      const alertState = { ...watch.alertState, alert: isAlertOpen(alert) ? shown : null };
      if (!(await store.saveAlertState(watch, alertState, transaction))) return;
      await post(key, toAlertDestination(watch), outcome, {
        kind: alertKind,
        ping,
        isNeeded: isAlertOpen(alert),
        picture: alert.picture,
        transaction,
      });
      for (const [index, joined] of (isFirst ? [] : formatJoined(options)).entries())
        await post(`${key}:joined:${nowMs}:${index}`, toThread(watch, alert), joined, { transaction });
      if (!isFirst) return;
      await scheduleEscalation(watch, shown, transaction);
      await schedulePicture(watch, shown, transaction);
    });
  }

  /** Updates an alert's message. Returns false if the watch has changed in the meantime. */
  async function showCurrent(watch: Watch, alert: Alert): Promise<boolean> {
    if (alert.response.postedMs === null) return true;
    const outcome = formatAlert(await formatOptions(watch, alert));
    const ping = await findPing(watch);
    return outbox.transact(async (transaction) => {
      if (!(await store.saveAlertState(watch, watch.alertState, transaction))) return false;
      const { picture } = alert;
      const options = { kind: alertKind, ping, isNeeded: isAlertOpen(alert), picture, transaction };
      await post(toAlertKey(watch, alert), toAlertDestination(watch), outcome, options);
      return true;
    });
  }

  function shouldRefresh(alert: Alert): boolean {
    return alert.isStale || (isAlertOpen(alert) && clock.now() - (alert.shownMs ?? 0) >= refreshMs);
  }

  // The alert reached nobody, so the watch is paused and its creator is notified.
  outbox.onGivenUp(alertKind, createPauseOnGivenUp({ pauseIn }, store.get));

  outbox.onMoved(alertKind, async ({ key, postedMs }, person, transaction) => {
    // The alert had already been posted with its ping when its message was deleted.
    if (postedMs !== null) return;
    const watch = await store.get(toWatchId(key), transaction);
    if (watch?.notify === undefined || watch.notify === person) return;
    const lose = (alert: Alert): Alert => ({
      ...alert,
      isStale: true,
      response: { ...alert.response, isPageLost: true },
    });
    await store.changeAlert(watch.id, toBeganMs(key), lose, transaction);
  });

  return Object.assign(notify, {
    async refresh(watch: Watch): Promise<void> {
      const beganMs = watch.alertState.alert?.beganMs;
      let current: Watch | undefined = watch;
      while (current?.alertState.alert && current.alertState.alert.beganMs === beganMs) {
        if (await showCurrent(current, current.alertState.alert)) return;
        current = await store.get(watch.id);
      }
    },
    async reply(watch: Watch, outcome: Outcome, ping: string | undefined, transaction: Database) {
      const { alert } = watch.alertState;
      if (!alert) return;
      const key = `${toAlertKey(watch, alert)}:reply:${randomUUID()}`;
      await post(key, { ...toThread(watch, alert), fallbacks: onlyPeople(ping) }, outcome, {
        ping,
        transaction,
      });
    },
  });
}

export const toAlertKey = ({ id }: Pick<Watch, 'id'>, { beganMs }: Pick<Alert, 'beganMs'>) =>
  `${alertKind}:${id}:${beganMs}`;

/** Extracts the watch ID from the key of an alert's message. */
export const toWatchId = (key: string) => key.split(':')[1] ?? '';

/** Extracts the alert's start from the key of its message. */
export const toBeganMs = (key: string) => Number(key.split(':')[2]);

/**
 * Returns an alert's destination. If the app can't post in the channel, the alert goes to someone whom the
 * watch pings, or to the watch's creator.
 */
export function toAlertDestination({ teamId, channel, notify, escalation, createdBy }: Watch): Destination {
  return { teamId, channel, fallbacks: onlyPeople(notify, escalation?.to, createdBy) };
}

/** Returns the given IDs without those of user groups, which can't get direct messages. */
export const onlyPeople = (...ids: readonly (string | undefined)[]): readonly string[] =>
  ids.filter((id) => id !== undefined).filter((id) => toGranteeKind(id) !== 'group');

export function toThread({ id, teamId, channel }: Watch, alert: Pick<Alert, 'beganMs'>): Destination {
  return { teamId, channel, threadKey: toAlertKey({ id }, alert) };
}
