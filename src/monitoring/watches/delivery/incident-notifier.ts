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
import { type Incident, isIncidentOpen } from '../evaluation/incident.ts';
import type { Watch } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';
import { formatClosed, formatIncident, formatJoined, formatOptionsOf } from './format-incident.ts';

interface IncidentNotifierDependencies {
  readonly store: Pick<WatchStore, 'saveAlertState' | 'get'>;
  readonly pauseIn: Pauses<Watch>['pauseIn'];
  readonly outbox: Pick<Outbox, 'put' | 'transact' | 'onGivenUp'>;
  readonly recipients: Pick<Recipients, 'findProblem'>;
  /** Plans the escalation of an incident in the transaction that shows it first. */
  readonly scheduleEscalation: (watch: Watch, incident: Incident, transaction: Database) => Promise<void>;
  /** Plans the chart of an incident in the same transaction. */
  readonly schedulePicture: (watch: Watch, incident: Incident, transaction: Database) => Promise<void>;
  readonly labelVpsFor: LabelVpsFor;
  readonly clock: Pick<Clock, 'now'>;
}

/** Shows the incidents of watches in their channels. */
export interface IncidentNotifier {
  /** Shows the one message of an incident, if it has changed. Does nothing if the watch has changed since. */
  (watch: Watch): Promise<void>;
  /** Shows a person's action on an incident. */
  refresh(watch: Watch): Promise<void>;
  /** Replies in the thread of an incident, and pings a person. */
  reply(watch: Watch, outcome: Outcome, ping: string | undefined, transaction: Database): Promise<void>;
  /** Returns how to close the message of a watch, in the transaction that stops the watch. */
  prepareClose(watch: Watch, why: string): Promise<(transaction: Database) => Promise<void>>;
}

/** The kind of an incident's message. */
export const alertKind = 'alert';

/** How often figures and durations are updated if nothing else changes. Edits notify no one. */
const refreshMs = 10 * 60_000;

export function createIncidentNotifier({
  store,
  outbox,
  recipients,
  scheduleEscalation,
  schedulePicture,
  pauseIn,
  labelVpsFor,
  clock,
}: IncidentNotifierDependencies): IncidentNotifier {
  const post = createPostOutcome(outbox);
  const formatOptions = (watch: Watch, incident: Incident) =>
    formatOptionsOf(watch, incident, { recipients, labelVpsFor, clock });

  /** Returns the person or group that the message of an incident pings when it is posted. */
  async function findPing({ teamId, notify }: Watch): Promise<string | undefined> {
    if (notify === undefined) return undefined;
    return (await recipients.findProblem(teamId, notify)) === undefined ? notify : undefined;
  }

  async function notify(watch: Watch): Promise<void> {
    const { incident } = watch.alertState;
    if (!incident || !shouldRefresh(incident)) return;
    const options = await formatOptions(watch, incident);
    const outcome = formatIncident(options);
    const ping = await findPing(watch);
    const key = toAlertKey(watch, incident);
    const isFirst = incident.response.postedMs === null;
    await outbox.transact(async (transaction) => {
      const nowMs = clock.now();
      const shown = {
        ...incident,
        joined: [],
        isStale: false,
        shownMs: nowMs,
        response: { ...incident.response, postedMs: incident.response.postedMs ?? nowMs },
      };
      const alertState = { ...watch.alertState, incident: isIncidentOpen(incident) ? shown : null };
      if (!(await store.saveAlertState(watch, alertState, transaction))) return;
      await post(key, toAlertDestination(watch), outcome, {
        kind: alertKind,
        ping,
        isNeeded: isIncidentOpen(incident),
        picture: incident.picture,
        transaction,
      });
      for (const [index, joined] of (isFirst ? [] : formatJoined(options)).entries())
        await post(`${key}:joined:${nowMs}:${index}`, toThread(watch, incident), joined, { transaction });
      if (!isFirst) return;
      await scheduleEscalation(watch, shown, transaction);
      await schedulePicture(watch, shown, transaction);
    });
  }

  /** Shows an incident again. Returns false if the watch has changed meanwhile. */
  async function showCurrent(watch: Watch, incident: Incident): Promise<boolean> {
    if (incident.response.postedMs === null) return true;
    const outcome = formatIncident(await formatOptions(watch, incident));
    const ping = await findPing(watch);
    return outbox.transact(async (transaction) => {
      if (!(await store.saveAlertState(watch, watch.alertState, transaction))) return false;
      const { picture } = incident;
      const options = { kind: alertKind, ping, isNeeded: isIncidentOpen(incident), picture, transaction };
      await post(toAlertKey(watch, incident), toAlertDestination(watch), outcome, options);
      return true;
    });
  }

  function shouldRefresh(incident: Incident): boolean {
    return (
      incident.isStale || (isIncidentOpen(incident) && clock.now() - (incident.shownMs ?? 0) >= refreshMs)
    );
  }

  // Nobody could be told of the alert, so the creator is told that the watch is paused.
  outbox.onGivenUp(alertKind, createPauseOnGivenUp({ pauseIn }, store.get));

  return Object.assign(notify, {
    async refresh(watch: Watch): Promise<void> {
      const beganMs = watch.alertState.incident?.beganMs;
      let current: Watch | undefined = watch;
      while (current?.alertState.incident && current.alertState.incident.beganMs === beganMs) {
        if (await showCurrent(current, current.alertState.incident)) return;
        current = await store.get(watch.id);
      }
    },
    async reply(watch: Watch, outcome: Outcome, ping: string | undefined, transaction: Database) {
      const { incident } = watch.alertState;
      if (!incident) return;
      const key = `${toAlertKey(watch, incident)}:reply:${randomUUID()}`;
      await post(key, { ...toThread(watch, incident), fallbacks: onlyPeople(ping) }, outcome, {
        ping,
        transaction,
      });
    },
    async prepareClose(watch: Watch, why: string) {
      const { incident } = watch.alertState;
      if (!incident || incident.response.postedMs === null) return async () => {};
      const outcome = formatClosed(await formatOptions(watch, incident), why);
      const ping = await findPing(watch);
      return (transaction: Database) =>
        post(toAlertKey(watch, incident), toAlertDestination(watch), outcome, {
          kind: alertKind,
          ping,
          picture: incident.picture,
          transaction,
        });
    },
  });
}

/** Returns the key of an alert's message. */
export const toAlertKey = ({ id }: Pick<Watch, 'id'>, { beganMs }: Pick<Incident, 'beganMs'>) =>
  `${alertKind}:${id}:${beganMs}`;

/** Returns the ID of the watch whose message has this key. */
export const toWatchId = (key: string) => key.split(':')[1] ?? '';

/** If the app can't post in the channel, the alert goes to a person whom the watch names, or to its creator. */
function toAlertDestination({ teamId, channel, notify, escalation, createdBy }: Watch): Destination {
  return { teamId, channel, fallbacks: onlyPeople(notify, escalation?.to, createdBy) };
}

/** Returns the people. User groups can't get direct messages. */
export const onlyPeople = (...ids: readonly (string | undefined)[]): readonly string[] =>
  ids.filter((id) => id !== undefined).filter((id) => toGranteeKind(id) !== 'group');

/** Returns the thread of an incident's message. */
export function toThread({ id, teamId, channel }: Watch, incident: Pick<Incident, 'beganMs'>): Destination {
  return { teamId, channel, threadKey: toAlertKey({ id }, incident) };
}
