import type { Database } from '../../../db/engines/database.ts';
import type { Clock } from '../../../jobs/clock.ts';
import type { Destination } from '../../../messages/message.ts';
import { isPassingReason, type OnGivenUp, type Outbox } from '../../../messages/outbox.ts';
import type { PostOutcome } from '../../../messages/post-outcome.ts';
import type { Fact, Outcome } from '../../../operations/define/outcome.ts';
import {
  type ChannelPlan,
  formatPauseReason,
  type PauseReason,
  type StoredPlan,
} from '../../../plans/plan.ts';
import type { Pause } from '../../../plans/plan-store.ts';
import { listStep, type PlanKindName, planWords } from '../../../plans/plan-words.ts';
import type { RunStore } from '../../../runs/store/run-store.ts';
import { formatShortList } from '../text-format.ts';

export interface PausesDependencies<One extends ChannelPlan> {
  readonly kind: PlanKindName;
  readonly store: {
    /** Resolves to undefined if someone else has changed the plan. */
    pause(plan: One, pause: Pause, nowMs: number, transaction: Database): Promise<unknown>;
  };
  readonly postOutcome: PostOutcome;
  readonly transact: Outbox['transact'];
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  /** Lists the people to notify if a creator can't be notified or can't fix the cause of the pause. */
  readonly listAdmins: (teamId: string) => Promise<readonly string[]>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Pauses plans of one kind on Rackhand's behalf, and notifies their creators and channels. */
export interface Pauses<One extends ChannelPlan> {
  /**
   * Pauses the plans, except ones that someone else has changed, and returns those paused. Each creator and channel
   * gets one message about all of their plans.
   */
  pause(plans: readonly One[], reason: PauseReason): Promise<readonly One[]>;
  /** Like `pause`, but in a transaction. `admins` are notified if the creator can't be. */
  pauseIn(
    transaction: Database,
    plans: readonly One[],
    reason: PauseReason,
    admins?: readonly string[],
  ): Promise<readonly One[]>;
}

/** Reasons that only admins can act on, because whoever takes over the plan becomes its creator. */
const reasonsForAdmins: readonly PauseReason[] = ['creator', 'left', 'denied'];

const maxNames = 10;

export function createPauses<One extends ChannelPlan>({
  kind,
  store,
  postOutcome,
  transact,
  runs,
  listAdmins,
  clock,
}: PausesDependencies<One>): Pauses<One> {
  /** Notifies the creator of paused plans or, if only admins can act on the reason, the admins. */
  async function tellCreator(
    transaction: Database,
    plans: readonly [One, ...One[]],
    reason: PauseReason,
    admins: readonly string[],
  ): Promise<void> {
    const [{ teamId, createdBy: userId }] = plans;
    const outcome = formatPause(kind, reason, plans);
    const others = admins.filter((admin) => admin !== userId);
    const forAdmins = reasonsForAdmins.includes(reason) ? others : [];
    for (const admin of forAdmins)
      await post(transaction, plans, { teamId, channel: admin }, formatForAdmins(outcome, userId));
    if (forAdmins.length === 0)
      await post(transaction, plans, { teamId, channel: userId, fallbacks: others }, outcome);
    const actor = { teamId, userId };
    const target = formatNames(plans);
    const entry = { actor, operation: `${kind} pause`, target, outcome, nowMs: clock.now() };
    await runs.addAuditEntry({ ...entry, status: 'done' }, transaction);
  }

  const post = (
    transaction: Database,
    [{ id }]: readonly [One, ...One[]],
    to: Destination,
    outcome: Outcome,
  ) => postOutcome(`pause:${id}:${clock.now()}:${to.channel}`, to, outcome, { transaction });

  async function pauseIn(
    transaction: Database,
    plans: readonly One[],
    reason: PauseReason,
    admins: readonly string[] = [],
  ): Promise<readonly One[]> {
    const paused: One[] = [];
    for (const one of plans)
      if (await store.pause(one, { reason, byUserId: null }, clock.now(), transaction)) paused.push(one);
    for (const [first, ...others] of Map.groupBy(paused, ({ createdBy }) => createdBy).values())
      if (first) await tellCreator(transaction, [first, ...others], reason, admins);
    const reachable = reason === 'channel' ? [] : paused;
    for (const [channel, [first, ...others]] of Map.groupBy(reachable, (one) => one.channel))
      if (channel !== null && first) {
        const own = [first, ...others] as const;
        await post(transaction, own, toChannel(channel, first, reason), formatPause(kind, reason, own));
      }
    return paused;
  }

  return {
    pauseIn,
    async pause(plans, reason) {
      const [first] = plans;
      const admins = first ? await listAdmins(first.teamId) : [];
      return transact((transaction) => pauseIn(transaction, plans, reason, admins));
    },
  };
}

/**
 * Creates a handler that pauses the plan whose message couldn't be delivered, unless the plan has moved to
 * another channel. The plan ID is the second part of the message's key.
 */
export function createPauseOnGivenUp<One extends ChannelPlan>(
  { pauseIn }: Pick<Pauses<One>, 'pauseIn'>,
  get: (id: string, transaction: Database) => Promise<One | undefined>,
): OnGivenUp {
  return async ({ key, movedFrom, queueChannel }, reason, transaction) => {
    const one = isPassingReason(reason) ? undefined : await get(key.split(':')[1] ?? '', transaction);
    const isInItsChannel = one?.channel === (movedFrom ?? queueChannel);
    if (one?.state.kind !== 'active' || !isInItsChannel) return false;
    return (await pauseIn(transaction, [one], 'channel')).length > 0;
  };
}

/**
 * Returns the plan's channel as the destination. For `denied`, the message falls back to the creator,
 * because only the admins were notified directly.
 */
const toChannel = (
  channel: string,
  { teamId, createdBy }: ChannelPlan,
  reason: PauseReason,
): Destination => ({ teamId, channel, fallbacks: reason === 'denied' ? [createdBy] : [] });

function formatForAdmins(outcome: Outcome, createdBy: string): Outcome {
  const byFact: Fact = { label: 'Created by', value: { kind: 'person', person: createdBy } };
  return {
    ...outcome,
    facts: [...(outcome.facts ?? []), byFact],
    notes: [...(outcome.notes ?? []), "You're seeing this as an admin of Rackhand."],
  };
}

function formatPause(kind: PlanKindName, reason: PauseReason, plans: readonly ChannelPlan[]): Outcome {
  const [first] = plans;
  const only = plans.length === 1 ? first : undefined;
  const { one, noun, many, list } = planWords[kind];
  const input = { name: only?.name ?? '' };
  return {
    title: only ? `${one} "${only.name}" is paused` : `${plans.length} ${many} are paused`,
    facts: [
      ...(only ? [] : [{ label: list, value: formatNames(plans) }]),
      ...(only?.channel
        ? [{ label: 'Channel', value: { kind: 'channel', channel: only.channel } as const }]
        : []),
    ],
    notes: [formatPauseReason(reason, noun)],
    next: [
      ...(only
        ? [
            // A schedule that Rackhand paused must be edited, because it needs a right or an approval again.
            ...(kind === 'schedule' ? [] : [{ label: 'Resume', operation: `${kind} resume`, input }]),
            { label: 'Edit', operation: `${kind} edit`, input, opensForm: true },
          ]
        : []),
      listStep(kind),
    ],
  };
}

function formatNames(plans: readonly ChannelPlan[]): string {
  return formatShortList(
    plans.map(({ name }) => name),
    maxNames,
  );
}

/** Returns who paused a plan, or why Rackhand paused it. Empty if the plan isn't paused. */
export function pauseFacts({ state }: Pick<StoredPlan, 'state'>, noun: string): readonly Fact[] {
  if (state.kind !== 'paused') return [];
  return [
    state.byUserId === null
      ? { label: 'Reason', value: formatPauseReason(state.reason, noun) }
      : { label: 'Paused by', value: { kind: 'person', person: state.byUserId } },
  ];
}

/** Returns why Rackhand paused a plan. Empty if Rackhand didn't pause it. */
export function pauseNotes({ state }: Pick<StoredPlan, 'state'>, kind: PlanKindName): readonly string[] {
  return state.kind === 'paused' && state.byUserId === null ? [formatPauseReason(state.reason, kind)] : [];
}
