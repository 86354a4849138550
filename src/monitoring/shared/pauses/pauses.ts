import type { Database } from '../../../db/engines/database.ts';
import type { Clock } from '../../../jobs/clock.ts';
import { isPassingReason, type OnGivenUp, type Outbox } from '../../../messages/outbox.ts';
import { createPostOutcome } from '../../../messages/post-outcome.ts';
import type { Fact, Outcome } from '../../../operations/define/outcome.ts';
import {
  type ChannelPlan,
  formatPauseReason,
  type PauseReason,
  type StoredPlan,
} from '../../../plans/plan.ts';
import { listStep, type PlanKindName, planWords } from '../../../plans/plan-words.ts';
import type { RunStore } from '../../../runs/store/run-store.ts';
import { formatShortList } from '../text-format.ts';

interface PausesDependencies<One extends ChannelPlan> {
  readonly kind: PlanKindName;
  /** Pauses a report or watch in Rackhand's name. Returns whether it was active. */
  readonly pauseOne: (
    one: One,
    reason: PauseReason,
    nowMs: number,
    transaction: Database,
  ) => Promise<boolean>;
  readonly outbox: Pick<Outbox, 'put' | 'transact'>;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  /** Lists the people to notify if a creator can't be notified. */
  readonly listAdmins: (teamId: string) => Promise<readonly string[]>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Pauses reports or watches in Rackhand's name, and notifies their creators. */
export interface Pauses<One extends ChannelPlan> {
  /**
   * Returns those that were active. Each creator gets one message about all of theirs. `alsoDo` is part of
   * the transaction that pauses.
   */
  pause(
    plans: readonly One[],
    reason: PauseReason,
    alsoDo?: (one: One, transaction: Database) => Promise<void>,
  ): Promise<readonly One[]>;
  /** Pauses in a transaction. The admins are those who are told if the creator can't be. */
  pauseIn(
    transaction: Database,
    plans: readonly One[],
    reason: PauseReason,
    admins?: readonly string[],
  ): Promise<readonly One[]>;
}

/** How many names one line lists. */
const maxNames = 10;

export function createPauses<One extends ChannelPlan>({
  kind,
  pauseOne,
  outbox,
  runs,
  listAdmins,
  clock,
}: PausesDependencies<One>): Pauses<One> {
  const post = createPostOutcome(outbox);

  async function pauseIn(
    transaction: Database,
    plans: readonly One[],
    reason: PauseReason,
    admins: readonly string[] = [],
  ): Promise<readonly One[]> {
    const nowMs = clock.now();
    const paused: One[] = [];
    for (const one of plans) if (await pauseOne(one, reason, nowMs, transaction)) paused.push(one);
    for (const [userId, own] of Map.groupBy(paused, ({ createdBy }) => createdBy)) {
      const [first] = own;
      if (!first) continue;
      const { teamId, id } = first;
      const outcome = formatPause(kind, reason, own);
      const key = `pause:${id}:${nowMs}`;
      const others = admins.filter((admin) => admin !== userId);
      if (reason === 'creator' && others.length > 0)
        // Whoever resumes it takes it over, so it's for the admins to decide.
        for (const admin of others)
          await post(`${key}:${admin}`, { teamId, channel: admin }, forAdmins(outcome, userId), {
            transaction,
          });
      else await post(key, { teamId, channel: userId, fallbacks: others }, outcome, { transaction });
      await runs.addAuditEntry(
        {
          actor: { teamId, userId },
          operation: `${kind} pause`,
          target: formatNames(own),
          status: 'done',
          outcome,
          nowMs,
        },
        transaction,
      );
    }
    return paused;
  }

  return {
    pauseIn,
    async pause(plans, reason, alsoDo = async () => {}) {
      const [first] = plans;
      const admins = first ? await listAdmins(first.teamId) : [];
      return outbox.transact(async (transaction) => {
        const paused = await pauseIn(transaction, plans, reason, admins);
        for (const one of paused) await alsoDo(one, transaction);
        return paused;
      });
    },
  };
}

/**
 * Pauses the report or watch whose message could never be delivered, unless it has another channel by
 * now. Its ID is the second part of the key.
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

function forAdmins(outcome: Outcome, createdBy: string): Outcome {
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
  const { one, many, list } = planWords[kind];
  const input = { name: only?.name ?? '' };
  return {
    title: only ? `${one} "${only.name}" is paused` : `${plans.length} ${many} are paused`,
    facts: [
      ...(only ? [] : [{ label: list, value: formatNames(plans) }]),
      ...(only ? [{ label: 'Channel', value: { kind: 'channel', channel: only.channel } as const }] : []),
    ],
    notes: [formatPauseReason(reason, kind)],
    next: [
      ...(only
        ? [
            { label: 'Resume', operation: `${kind} resume`, input },
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

/**
 * Returns facts that say who paused a plan, or why Rackhand did. Returns none if the plan is
 * active.
 */
export function pauseFacts({ state }: Pick<StoredPlan, 'state'>, noun: string): readonly Fact[] {
  if (state.kind !== 'paused') return [];
  return [
    state.byUserId === null
      ? { label: 'Reason', value: formatPauseReason(state.reason, noun) }
      : { label: 'Paused by', value: { kind: 'person', person: state.byUserId } },
  ];
}

/**
 * Returns notes that say why Rackhand paused a plan. Returns none if the plan is active or a
 * person paused it.
 */
export function pauseNotes({ state }: Pick<StoredPlan, 'state'>, kind: PlanKindName): readonly string[] {
  return state.kind === 'paused' && state.byUserId === null ? [formatPauseReason(state.reason, kind)] : [];
}
