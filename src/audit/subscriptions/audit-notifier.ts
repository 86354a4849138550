import type { Logger } from 'pino';
import type { Clock } from '../../jobs/clock.ts';
import { emptyPayload, type JobKind } from '../../jobs/job-kind.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import type { LabelVpsFor } from '../../runs/team-labels.ts';
import type { FindDisplayName } from '../actor-names.ts';
import { isUnlabelled } from '../audit-entry.ts';
import { type AuditNotification, shouldNotify, toAuditNotification } from './audit-notification.ts';
import type {
  ActiveSubscription,
  AuditSubscription,
  AuditSubscriptionStore,
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
  readonly labelVpsFor: LabelVpsFor;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'error' | 'warn'>;
}

export const notifierName = 'audit-subscriptions';

/** Slack accepts one message a second in each channel. */
const pollIntervalMs = 2_000;

/** Entries per message. Further entries wait for the next poll. */
const maxLines = 20;

/**
 * Creates the job that posts new entries to the subscribed channels, one message for each. It ends
 * when no channel is subscribed. If a process dies, the next one may repeat its last message.
 */
export function createAuditNotifier(dependencies: AuditNotifierDependencies): JobKind<object> {
  const { subscriptions, runs, catalogue, publisher, findDisplayName, labelVpsFor, clock, log } =
    dependencies;
  const { now } = clock;
  const pausedUntilMs = new Map<string, number>();

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

  async function notifyChannel(subscription: ActiveSubscription): Promise<void> {
    const { teamId, channel } = subscription;
    if ((pausedUntilMs.get(teamId) ?? 0) > now()) return;
    const undelivered = await subscriptions.listUndelivered(subscription, maxLines);
    const notable = undelivered.filter(shouldNotify);
    if (notable.length > 0) {
      const labelVps = notable.some(isUnlabelled) ? await labelVpsFor(teamId) : undefined;
      const notifications = await Promise.all(
        notable.map((run) => toAuditNotification(run, catalogue, findDisplayName, labelVps)),
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

  return {
    name: notifierName,
    payload: emptyPayload,
    listMissing: async () =>
      (await subscriptions.listActive()).length > 0 ? [{ id: notifierName, payload: {} }] : [],
    retry: { firstMs: pollIntervalMs, maxMs: 60_000 },
    concurrency: 1,
    async handle(_, { signal }) {
      const active = await subscriptions.listActive();
      if (active.length === 0) return { kind: 'done' };
      signal.throwIfAborted();
      const results = await Promise.allSettled(active.map(notifyChannel));
      for (const result of results) {
        if (result.status === 'rejected')
          log.error({ err: result.reason }, 'a channel did not get its activity log entries');
      }
      return { kind: 'repeat', atMs: now() + pollIntervalMs };
    },
  };
}
