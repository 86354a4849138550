import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Catalogue } from '../../operations/define/operation.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import type { FindDisplayName } from '../actor-names.ts';
import { type AuditNotification, shouldNotify, toAuditNotification } from './audit-notification.ts';
import type {
  AuditSubscription,
  AuditSubscriptionStore,
  ClaimedSubscription,
} from './audit-subscription-store.ts';

export type PublishResult =
  | { readonly kind: 'delivered' }
  /** The channel is archived, or the app is no longer in it. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'retry'; readonly retryInMs: number };

/** Posts about the activity log to channels and people. */
export interface AuditPublisher {
  /** Posts several notifications in one message that mentions nobody. */
  postNotifications(
    teamId: string,
    channel: string,
    notifications: readonly AuditNotification[],
  ): Promise<PublishResult>;
  /** Announces the subscription in the channel. */
  postIntro(teamId: string, channel: string): Promise<PublishResult>;
  sendDirectMessage(teamId: string, userId: string, outcome: Outcome): Promise<void>;
}

interface AuditNotifierDependencies {
  readonly subscriptions: AuditSubscriptionStore;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  readonly catalogue: Catalogue;
  readonly publisher: AuditPublisher;
  readonly findDisplayName: FindDisplayName;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  readonly now: () => number;
}

export interface AuditNotifier {
  start(): void;
  /** Resolves when no delivery is running anymore. */
  stop(): Promise<void>;
  /** Posts undelivered entries, one message per subscribed channel. */
  notifySubscriptions(): Promise<void>;
}

/** Slack accepts one message a second in each channel. */
const pollIntervalMs = 2_000;

/**
 * If a replica hasn't polled for this long, another takes over. Twice the duration of the longest
 * Slack call.
 */
const leaseMs = 60_000;

/** Entries per message. Further entries wait for the next poll. */
const maxLines = 20;

/** Posts new entries to subscribed channels. If a replica dies, the next one may repeat its last message. */
export function createAuditNotifier(dependencies: AuditNotifierDependencies): AuditNotifier {
  const { subscriptions, runs, catalogue, publisher, findDisplayName, log, now } = dependencies;
  const owner = randomUUID();
  const pausedUntilMs = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let polling = Promise.resolve();
  let isStopped = false;

  async function endSubscription(subscription: AuditSubscription): Promise<void> {
    if (!(await subscriptions.remove(subscription))) return;
    const { teamId, channel, createdBy: userId } = subscription;
    const outcome: Outcome = {
      title: 'The activity log is no longer posted to a channel',
      facts: [{ label: 'Channel', value: { kind: 'channel', channel } }],
      notes: [
        "The channel was archived, or I'm no longer in it. To resume, run /invite @Rackhand there, then /vps history --to.",
      ],
      next: [{ label: 'Show Activity Log', operation: 'history', input: {} }],
    };
    const actor = { teamId, userId };
    const target = `#${channel}`;
    await runs.addAuditEntry({ actor, operation: 'history', target, status: 'done', outcome, nowMs: now() });
    await publisher.sendDirectMessage(teamId, userId, outcome).catch((error: unknown) => {
      log.warn({ err: error }, 'the end of an audit subscription could not be announced');
    });
  }

  async function notifyChannel(subscription: ClaimedSubscription): Promise<void> {
    const { teamId, channel } = subscription;
    if ((pausedUntilMs.get(teamId) ?? 0) > now()) return;
    const undelivered = await subscriptions.listUndelivered(subscription, maxLines);
    const notable = undelivered.filter((run) => shouldNotify(run, catalogue));
    if (notable.length > 0) {
      const notifications = await Promise.all(
        notable.map((run) => toAuditNotification(run, catalogue, findDisplayName)),
      );
      const result = await publisher.postNotifications(teamId, channel, notifications);
      if (result.kind === 'gone') return endSubscription(subscription);
      if (result.kind === 'retry') {
        pausedUntilMs.set(teamId, now() + result.retryInMs);
        return;
      }
      pausedUntilMs.delete(teamId);
    }
    await subscriptions.markDelivered(subscription, undelivered);
  }

  async function notifySubscriptions(): Promise<void> {
    const nowMs = now();
    const claimed = await subscriptions.claim({ owner, untilMs: nowMs + leaseMs }, nowMs);
    const results = await Promise.allSettled(claimed.map(notifyChannel));
    for (const result of results) {
      if (result.status === 'rejected')
        log.error({ err: result.reason }, 'a channel did not get its activity log entries');
    }
  }

  /** The next poll is scheduled only after this one has ended, so polls never overlap. */
  function scheduleNextPoll(): void {
    timer = setTimeout(() => {
      polling = notifySubscriptions()
        .catch((error) => log.error({ err: error }, 'audit subscriptions could not be processed'))
        .finally(() => isStopped || scheduleNextPoll());
    }, pollIntervalMs);
    timer.unref();
  }

  return {
    notifySubscriptions,
    start: scheduleNextPoll,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await polling;
      await subscriptions.release(owner);
    },
  };
}
