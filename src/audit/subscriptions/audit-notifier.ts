import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clock } from '../../jobs/clock.ts';
import { emptyPayload, type JobKind } from '../../jobs/job-kind.ts';
import { isPassingReason, type Outbox } from '../../messages/outbox.ts';
import { createPostOutcome } from '../../messages/post-outcome.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import { shouldNotify } from './audit-notification.ts';
import type { ActiveSubscription, AuditSubscriptionStore } from './audit-subscription-store.ts';

/** The kind of messages that post new activity log entries to a channel. */
export const auditMessageKind = 'audit';

export const auditMessageContent = z.object({ runIds: z.array(z.string()) });

interface AuditNotifierDependencies {
  readonly subscriptions: AuditSubscriptionStore;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  readonly outbox: Pick<Outbox, 'put' | 'transact' | 'find' | 'onGivenUp'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'error'>;
}

export const notifierName = 'audit-subscriptions';

/** How often (ms) new entries are posted. Slack accepts one message per second in each channel. */
const pollIntervalMs = 2_000;

/** Maximum number of entries per message. Further entries wait for the next poll. */
const maxLines = 20;

/** Returns the key of the last message, which contains the time up to which entries were delivered. */
const toKey = ({ createdMs, deliveredUntilMs }: ActiveSubscription) =>
  `${auditMessageKind}:${createdMs}:${deliveredUntilMs}`;

/** Creates the job that posts new entries to the subscribed channels. The job ends when no channel is subscribed. */
export function createAuditNotifier({
  subscriptions,
  runs,
  outbox,
  clock,
  log,
}: AuditNotifierDependencies): JobKind<object> {
  const post = createPostOutcome(outbox);

  // If the channel can't be reached, it is unsubscribed and the person who subscribed it gets a message.
  outbox.onGivenUp(auditMessageKind, async ({ teamId, queueChannel: channel }, reason, transaction) => {
    const subscription = await subscriptions.find(teamId, transaction);
    if (isPassingReason(reason) || subscription?.channel !== channel) return false;
    if (!(await subscriptions.remove(subscription, transaction))) return false;
    const { createdBy: userId, createdMs } = subscription;
    const outcome: Outcome = {
      title: 'The activity log is no longer posted to a channel',
      facts: [{ label: 'Channel', value: { kind: 'channel', channel } }],
      notes: [
        "The channel was archived, or I'm no longer in it. To resume, run /invite @Rackhand there, then /vps history --to.",
      ],
      next: [{ label: 'Show Activity Log', operation: 'history', input: {} }],
    };
    await runs.addAuditEntry(
      {
        actor: { teamId, userId },
        operation: 'history',
        target: `#${channel}`,
        status: 'done',
        outcome,
        nowMs: clock.now(),
      },
      transaction,
    );
    await post(`audit-end:${createdMs}`, { teamId, channel: userId }, outcome, { transaction });
    return true;
  });

  async function notifyChannel(subscription: ActiveSubscription): Promise<void> {
    const { teamId, channel, createdBy: creator } = subscription;
    // New entries wait for the next message until Slack has accepted the last one.
    const last = await outbox.find(teamId, toKey(subscription));
    if (last && last.postedMs === null && last.givenUpMs === null) return;
    const undelivered = await subscriptions.listUndelivered(subscription, maxLines);
    if (undelivered.length === 0) return;
    const runIds = undelivered.filter(shouldNotify).map(({ id }) => id);
    await outbox.transact(async (transaction) => {
      const delivered = await subscriptions.markDelivered(subscription, undelivered, transaction);
      if (!delivered || runIds.length === 0) return;
      const state = { kind: auditMessageKind, content: { runIds }, about: 'Activity log', creator };
      await outbox.put(toKey(delivered), { teamId, channel }, state, transaction);
    });
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
      return { kind: 'repeat', atMs: clock.now() + pollIntervalMs };
    },
  };
}
