import { sql } from 'kysely';
import type { Database } from '../../storage/database.ts';
import type { RunStatus } from '../../storage/schema.ts';
import type { Progress } from '../operation.ts';
import type { RawInput } from '../outcome.ts';
import type { Asker, Run, RunEnd } from './run.ts';
import { createRunLeases, forgetUrl, heldBy, type Lease } from './run-leases.ts';
import { ending, type RecordEntry, recordRow, toRun } from './run-row.ts';

interface Place {
  readonly channel: string;
  readonly ts: string;
}

interface Settlement extends RunEnd {
  readonly id: string;
  readonly from: readonly RunStatus[];
  readonly owner: string;
  /** Whether it was seen to wait for a second person: so, and only so, one that does is ended. */
  readonly isAsked?: boolean;
  /** Keeps the run, under this lease, with the owner until its end has been told. */
  readonly untilTold?: Lease;
  readonly nowMs: number;
}

/** What the input of a run has become. */
interface Refinement extends Pick<Run, 'target' | 'called'> {
  readonly raw: RawInput;
}

/** A run that has waited past its time. */
interface Lapsed extends Run {
  /** Whether somebody must be told: its asker was never shown a card, or a second person has been asked. */
  readonly isUntold: boolean;
}

/** What the second person is asked: the state that they are shown, and until when. */
interface Question {
  readonly shown: string;
  readonly notAfterMs: number;
}

/**
 * Keeps runs. Every change of state is a compare-and-set: it answers whether it was made. A run has an owner as long as a process owes it
 * something: its work, a card, the telling of its end.
 */
export type RunStore = ReturnType<typeof createRunStore>;

/** Creates the store of runs. */
export function createRunStore(db: Database) {
  const of = (id: string) => db.updateTable('run').where('id', '=', id);

  async function find(id: string): Promise<Run | undefined> {
    const row = await db.selectFrom('run').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toRun(row);
  }

  return {
    ...createRunLeases(db),

    /** Keeps a new run and claims its request: `false` where another has the key already. */
    async claim(run: Run, requestKey: string, lease: Lease): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('run')
        .values({
          id: run.id,
          request_key: requestKey,
          team_id: run.asker.teamId,
          user_id: run.asker.userId,
          operation: run.operation,
          input: JSON.stringify(run.input),
          target: run.target,
          origin: JSON.stringify(run.origin),
          status: run.status,
          not_after: run.notAfterMs,
          owner: lease.owner,
          lease_until: lease.untilMs,
          requested_at: run.requestedMs,
          queued_at: run.queuedMs,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    /** Keeps what is over already, as a settled run. */
    async record(entry: RecordEntry): Promise<void> {
      await db.insertInto('run').values(recordRow(entry)).execute();
    },

    find,

    /** Gives the newest runs of a workspace that came into the queue, newest first. */
    async recent(teamId: string, most: number): Promise<readonly Run[]> {
      const rows = await db
        .selectFrom('run')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('queued_at', 'is not', null)
        .orderBy('requested_at', 'desc')
        .limit(most)
        .execute();
      return rows.map(toRun);
    },

    /** Gives what somebody was last refused for want of a right, newest first. */
    async refusedTo({ teamId, userId }: Asker, sinceMs: number, most: number): Promise<readonly Run[]> {
      const rows = await db
        .selectFrom('run')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('user_id', '=', userId)
        .where('requested_at', '>=', sinceMs)
        .where('error_code', '=', 'not_permitted')
        .orderBy('requested_at', 'desc')
        .limit(most)
        .execute();
      return rows.map(toRun);
    },

    /** Keeps what the confirmation of a waiting run shows, and until when it holds; its owner has yet to bring the card. */
    async show(
      id: string,
      shown: string,
      { notAfterMs, askedAgainMs }: Pick<Run, 'notAfterMs' | 'askedAgainMs'>,
      lease: Lease,
    ): Promise<boolean> {
      return changed(
        of(id)
          .set({ shown, not_after: notAfterMs, asked_again_at: askedAgainMs, ...heldBy(lease) })
          .where('status', '=', 'waiting')
          .where('approval_cards', 'is', null),
      );
    },

    /** Names what a run acts upon by its identifiers, and keeps what people call it, before anything of it has been shown. */
    async refine(id: string, { raw, called, target }: Refinement): Promise<void> {
      await of(id)
        .set({ input: JSON.stringify(raw), called: called ? JSON.stringify(called) : null, target })
        .where('status', 'in', ['waiting', 'queued'])
        .execute();
    },

    /** A run that waits, as it was read, waits for a second person from now on; its owner has yet to ask them. */
    async awaitApproval(
      { id, shown: seen }: Pick<Run, 'id' | 'shown'>,
      { shown, notAfterMs }: Question,
      lease: Lease,
      nowMs: number,
    ): Promise<boolean> {
      return changed(
        of(id)
          .set({ approval_cards: '[]', shown, not_after: notAfterMs, ...heldBy(lease) })
          .where('status', '=', 'waiting')
          .where('approval_cards', 'is', null)
          .where('shown', seen === null ? 'is' : '=', seen)
          .where('not_after', '>', nowMs),
      );
    },

    /** Second persons have been asked: `false` where the run does not wait for them any more. */
    async keepCards(id: string, places: readonly Place[]): Promise<boolean> {
      return changed(
        of(id)
          .set({ approval_cards: JSON.stringify(places), ...heldBy(null) })
          .where('status', '=', 'waiting')
          .where('approval_cards', '=', '[]'),
      );
    },

    /** Second persons are asked anew, in another state than the one that they were shown. */
    async askAnew(
      { id, shown: seen }: Pick<Run, 'id' | 'shown'>,
      { shown, notAfterMs }: Question,
      nowMs: number,
    ): Promise<boolean> {
      return changed(
        of(id)
          .set({ shown, not_after: notAfterMs })
          .where('status', '=', 'waiting')
          .where('approval_cards', 'is not', null)
          .where('shown', seen === null ? 'is' : '=', seen)
          .where('not_after', '>', nowMs),
      );
    },

    /** A waiting run goes into the queue, unless it has lapsed; one that waits for a second person only with their approval of what they were shown. */
    async queue(
      id: string,
      lease: Lease,
      notAfterMs: number,
      nowMs: number,
      approved?: { readonly by: string; readonly shown: string | null },
    ): Promise<boolean> {
      const queued = of(id)
        .set({
          status: 'queued',
          ...heldBy(lease),
          not_after: notAfterMs,
          queued_at: nowMs,
          approved_by: approved?.by ?? null,
        })
        .where('status', '=', 'waiting')
        .where('not_after', '>', nowMs);
      if (!approved) return changed(queued.where('approval_cards', 'is', null));
      const { shown } = approved;
      return changed(
        queued.where('approval_cards', 'is not', null).where('shown', shown === null ? 'is' : '=', shown),
      );
    },

    /** Marks a run as sent, right before its bytes leave: only its owner may, and only in time. */
    async send(id: string, owner: string, nowMs: number): Promise<boolean> {
      return changed(
        of(id)
          .set({ status: 'sent', sent_at: nowMs })
          .where('status', '=', 'queued')
          .where('owner', '=', owner)
          .where('not_after', '>', nowMs),
      );
    },

    /** Ends a run that is in one of the states `from`; one that is under way is ended by its owner alone. */
    async settle(settlement: Settlement): Promise<boolean> {
      const { id, from, owner, isAsked = false, untilTold, status, result, nowMs } = settlement;
      return changed(
        of(id)
          .set({
            status,
            ...ending(result, nowMs),
            ...(untilTold && heldBy(untilTold)),
          })
          .where('status', 'in', from)
          .where((row) =>
            row.or([row('status', '!=', 'waiting'), row('approval_cards', isAsked ? 'is not' : 'is', null)]),
          )
          .where((row) => row.or([row('status', 'in', ['waiting', 'unknown']), row('owner', '=', owner)])),
      );
    },

    /** Ends what has waited past its time, and gives it. What somebody must be told of is kept under the lease until then. */
    async lapse(result: RunEnd['result'], lease: Lease, nowMs: number): Promise<readonly Lapsed[]> {
      const isUntold = sql`owner is not null or approval_cards is not null`;
      const rows = await db
        .updateTable('run')
        .set({
          status: 'expired',
          ...ending(result, nowMs),
          owner: sql`case when ${isUntold} then ${lease.owner} end`,
          lease_until: sql`case when ${isUntold} then cast(${lease.untilMs} as bigint) end`,
        })
        .where('status', '=', 'waiting')
        .where('not_after', '<=', nowMs)
        .returningAll()
        .execute();
      const lapsed = rows.map((row) => ({ ...toRun(row), isUntold: row.owner !== null }));
      for (const { id, isUntold } of lapsed) if (!isUntold) await forgetUrl(db, id);
      return lapsed;
    },

    /** Ends everything of a workspace that has not been sent, and gives it. */
    async abandon(teamId: string, result: RunEnd['result'], nowMs: number): Promise<readonly Run[]> {
      const rows = await db
        .updateTable('run')
        .set({ status: 'expired', ...ending(result, nowMs) })
        .where('team_id', '=', teamId)
        .where('status', 'in', ['waiting', 'queued'])
        .returningAll()
        .execute();
      return rows.map(toRun);
    },

    async keepProgress(id: string, progress: Progress): Promise<void> {
      await of(id)
        .set({ progress: JSON.stringify(progress) })
        .execute();
    },

    async keepMessage(id: string, message: { channel: string; ts: string }): Promise<void> {
      await of(id).set({ message_channel: message.channel, message_ts: message.ts }).execute();
    },
  };
}

async function changed(update: {
  executeTakeFirst(): Promise<{ numUpdatedRows: bigint }>;
}): Promise<boolean> {
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
}
