import type { Logger } from 'pino';
import type { Recipients } from '../../../auth/recipients.ts';
import { type Clock, waitFor } from '../../../jobs/clock.ts';
import type { Outcome } from '../../../operations/define/outcome.ts';
import type { LabelVpsFor } from '../../../runs/team-labels.ts';
import type { ChannelRef, PostResult } from '../../shared/channel-publisher.ts';
import { type Incident, isIncidentOpen } from '../evaluation/incident.ts';
import type { AlertState, Watch } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';
import { type FormatIncidentOptions, formatClosed, formatIncident, formatJoined } from './format-incident.ts';
import { formatOptionsOf } from './format-options.ts';
import type { EditResult, IncidentMessage, IncidentPublisher } from './incident-publisher.ts';

interface IncidentNotifierDependencies {
  readonly store: Pick<WatchStore, 'saveAlertState' | 'pause' | 'get'>;
  readonly publisher: Pick<IncidentPublisher, 'post' | 'findPost' | 'edit' | 'replyInThread' | 'announce'>;
  readonly recipients: Pick<Recipients, 'findProblem'>;
  /** Plans the escalation of an incident whose message is about to be posted. */
  readonly scheduleEscalation: (watch: Watch, incident: Incident) => Promise<void>;
  readonly labelVpsFor: LabelVpsFor;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** Posts the incidents of watches to their channels. */
export interface IncidentNotifier {
  /**
   * Posts, edits or closes the one message of an incident. If Slack doesn't accept the message now,
   * the next cycle sends it.
   */
  (watch: Watch, signal: AbortSignal): Promise<void>;
  /** Shows a person's action on an incident. If Slack doesn't accept the message now, the next cycle retries. */
  refresh(watch: Watch): Promise<void>;
  /** Replies in the thread of an incident. Resolves to whether Slack has accepted the reply. */
  reply(watch: Watch, message: IncidentMessage): Promise<boolean>;
  /** Posts a message that isn't about an incident, waiting for the channel's rate limits. */
  announce(channelRef: ChannelRef, message: IncidentMessage): Promise<PostResult>;
  /** Closes the message of a watch that has stopped. A failure isn't retried. */
  close(watch: Watch, why: string): Promise<void>;
}

/**
 * The result of sending a message. `watchChanged` means that the message wasn't sent, because the
 * watch has changed.
 */
type SendResult = EditResult | { readonly kind: 'watchChanged' };

/**
 * Longest rate-limit wait of a message, and the maximum number of waits. Together they take less
 * than a cycle.
 */
const maxRateLimitWaitMs = 20_000;
const maxRateLimitWaits = 2;

/** How often figures and durations are updated if nothing else changes. Edits notify no one. */
const refreshMs = 10 * 60_000;

const possibleRepeatNote =
  "This may be a repeat: Rackhand was interrupted while posting this and can't check whether it was posted.";

export function createIncidentNotifier({
  store,
  publisher,
  recipients,
  scheduleEscalation,
  labelVpsFor,
  clock,
  log,
}: IncidentNotifierDependencies): IncidentNotifier {
  /** Sends a message, waiting only for this channel's rate limits. Returns the last result. */
  async function sendWithRetry<Result extends SendResult>(
    send: () => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    for (let left = maxRateLimitWaits; ; left -= 1) {
      const result = await send();
      if (result.kind !== 'rateLimited') return result;
      if (left === 0 || result.retryInMs > maxRateLimitWaitMs) return result;
      await waitFor(clock, result.retryInMs, signal);
    }
  }

  const wordsOf = async (watch: Watch, notes: readonly string[] = []): Promise<Outcome | undefined> => {
    const { incident } = watch.alertState;
    return incident ? formatIncident({ ...(await formatOptions(watch, incident)), notes }) : undefined;
  };

  async function formatOptions(watch: Watch, incident: Incident): Promise<FormatIncidentOptions> {
    return formatOptionsOf(watch, incident, { recipients, labelVpsFor, clock });
  }

  const keep = (watch: Watch, more: Partial<AlertState>) =>
    store.saveAlertState(watch, { ...watch.alertState, ...more });

  /** Sends a message. If Slack rejects it, sends only its headline. */
  async function sendOrShorten(
    outcome: Outcome,
    send: (outcome: Outcome) => Promise<SendResult>,
    signal: AbortSignal,
  ): Promise<SendResult> {
    const result = await sendWithRetry(() => send(outcome), signal);
    if (result.kind !== 'rejected') return result;
    log.warn({ rejectedAs: result.error }, 'Slack rejected the message of a watch');
    return sendWithRetry(() => send({ title: outcome.title }), signal);
  }

  /** Records that Slack now shows the current incident. Returns the updated watch. */
  async function keepShown(watch: Watch, ts: string): Promise<Watch | undefined> {
    const { incident } = watch.alertState;
    const kept = await keep(watch, {
      incident: incident && { ...toShown(incident), isStale: false },
      messageTs: ts,
      postingMs: null,
    });
    return kept ?? keepAfterChange(watch, ts);
  }

  /**
   * Returns the incident with the time at which its message was shown and, if unset, first posted.
   */
  function toShown(incident: Incident): Incident {
    const { response } = incident;
    const shownMs = clock.now();
    return { ...incident, shownMs, response: { ...response, postedMs: response.postedMs ?? shownMs } };
  }

  /**
   * Records a message if someone changed the watch while the message was being sent. If its
   * incident is over, closes the message instead, because it would otherwise look active.
   */
  async function keepAfterChange(watch: Watch, ts: string): Promise<Watch | undefined> {
    const now = await store.get(watch.id);
    const incident = now?.alertState.incident;
    if (now && incident && incident.beganMs === watch.alertState.incident?.beganMs) {
      const kept = await keep(now, { incident: toShown(incident), messageTs: ts, postingMs: null });
      return kept ?? keepAfterChange(watch, ts);
    }
    await close({ ...watch, alertState: { ...watch.alertState, messageTs: ts } }, 'the watch was changed');
    return undefined;
  }

  async function postMessage(watch: Watch, signal: AbortSignal): Promise<Watch | undefined> {
    const { incident, postingMs } = watch.alertState;
    if (!incident) return undefined;
    const key = { watchId: watch.id, beganMs: incident.beganMs };
    const found = postingMs === null ? undefined : await publisher.findPost(watch, key, postingMs);
    if (found?.kind === 'found') {
      // An earlier attempt sent the message, so it may be out of date.
      return keep(watch, {
        incident: { ...toShown(incident), isStale: true },
        messageTs: found.ts,
        postingMs: null,
      });
    }
    let marked: Watch | undefined;
    const outcome = await wordsOf(watch, found?.kind === 'unreadable' ? [possibleRepeatNote] : undefined);
    if (!outcome) return undefined;
    const ping = await findPing(watch, incident);
    if (incident.response.postedMs === null) await scheduleEscalation(watch, incident);
    const post = async (words: Outcome): Promise<SendResult> => {
      marked = await keep(marked ?? watch, { postingMs: clock.now() });
      return marked ? publisher.post(watch, key, { outcome: words, ping }) : { kind: 'watchChanged' };
    };
    const result = await sendOrShorten(outcome, post, signal);
    if (!marked) return undefined;
    if (result.kind === 'channelGone' || result.kind === 'rejected') {
      await store.pause(marked, 'channel', null, clock.now());
      return undefined;
    }
    if (result.kind === 'posted') return keepShown(marked, result.ts);
    // Slack didn't accept the message, so there is no new post to search for.
    await keep(marked, { postingMs });
    return undefined;
  }

  /** Returns the person or group that the message of an incident pings. A message that is posted again pings no one. */
  async function findPing({ teamId, notify }: Watch, { response }: Incident): Promise<string | undefined> {
    if (notify === undefined || response.postedMs !== null) return undefined;
    return (await recipients.findProblem(teamId, notify)) === undefined ? notify : undefined;
  }

  async function editMessage(watch: Watch, ts: string, signal: AbortSignal): Promise<Watch | undefined> {
    const outcome = await wordsOf(watch);
    if (!outcome) return undefined;
    const edited = await sendOrShorten(outcome, (words) => publisher.edit(watch, ts, words), signal);
    if (edited.kind === 'channelGone') {
      await store.pause(watch, 'channel', null, clock.now());
      return undefined;
    }
    // Someone deleted the message, so open alerts are posted again.
    if (edited.kind === 'messageGone')
      return keep(watch, { messageTs: null, ...(hasClosedIncident(watch) && { incident: null }) });
    return edited.kind === 'posted' ? keepShown(watch, ts) : undefined;
  }

  async function replyWithJoined(watch: Watch, signal: AbortSignal): Promise<Watch | undefined> {
    const { incident, messageTs } = watch.alertState;
    if (!incident || messageTs === null || incident.joined.length === 0) return watch;
    const outcomes = formatJoined(await formatOptions(watch, incident));
    // The message itself already shows these VPS, so nothing is lost if a reply fails.
    const kept = await keep(watch, { incident: { ...incident, joined: [] } });
    if (!kept) return undefined;
    for (const outcome of outcomes)
      await sendWithRetry(() => publisher.replyInThread(watch, messageTs, { outcome }), signal);
    return kept;
  }

  async function notify(watch: Watch, signal: AbortSignal): Promise<void> {
    const { incident, messageTs } = watch.alertState;
    if (!incident) return;
    let shown: Watch | undefined = watch;
    if (messageTs === null) shown = await postMessage(watch, signal);
    const ts = shown?.alertState.messageTs ?? null;
    if (shown && ts !== null && shouldRefresh(shown)) shown = await editMessage(shown, ts, signal);
    if (shown) shown = await replyWithJoined(shown, signal);
    const left = shown?.alertState.incident;
    if (shown && left && !left.isStale && !isIncidentOpen(left)) {
      await keep(shown, { incident: null, messageTs: null, postingMs: null });
    }
  }

  function shouldRefresh({ alertState: { incident } }: Watch): boolean {
    if (!incident) return false;
    return (
      incident.isStale || (isIncidentOpen(incident) && clock.now() - (incident.shownMs ?? 0) >= refreshMs)
    );
  }

  async function close(watch: Watch, why: string): Promise<void> {
    const { incident, messageTs } = watch.alertState;
    if (!incident || messageTs === null) return;
    try {
      const words = formatClosed(await formatOptions(watch, incident), why);
      await sendOrShorten(
        words,
        (shown) => publisher.edit(watch, messageTs, shown),
        new AbortController().signal,
      );
    } catch (error) {
      log.warn({ err: error, watchId: watch.id }, "can't close the message of a watch");
    }
  }

  async function refresh(watch: Watch): Promise<void> {
    const { messageTs } = watch.alertState;
    const outcome = await wordsOf(watch);
    if (!outcome || messageTs === null) return;
    await publisher.edit(watch, messageTs, outcome).catch((error: unknown) => {
      log.warn({ err: error, watchId: watch.id }, "can't refresh the message of a watch; retrying");
    });
  }

  async function reply(watch: Watch, message: IncidentMessage): Promise<boolean> {
    const { messageTs } = watch.alertState;
    if (messageTs === null) return false;
    const { signal } = new AbortController();
    try {
      const sent = await sendWithRetry(() => publisher.replyInThread(watch, messageTs, message), signal);
      return sent.kind === 'posted';
    } catch (error) {
      log.warn({ err: error, watchId: watch.id }, "can't reply in the thread of a watch");
      return false;
    }
  }

  const announce = (channelRef: ChannelRef, message: IncidentMessage) =>
    sendWithRetry(() => publisher.announce(channelRef, message), new AbortController().signal);

  return Object.assign(notify, { refresh, reply, announce, close });
}

function hasClosedIncident({ alertState: { incident } }: Watch): boolean {
  return incident !== null && !isIncidentOpen(incident);
}
