import type { Database } from '../../storage/database.ts';
import type { RunStatus } from '../../storage/schema.ts';
import type { Progress } from '../operation.ts';
import type { RawInput } from '../outcome.ts';
import type { Run, RunEnd } from './run.ts';
import { ending, type RecordEntry, recordRow, toRun } from './run-row.ts';

/** Which process works on a run, and until when it is taken to be alive. */
export interface Lease {
  readonly owner: string;
  readonly untilMs: number;
}

interface Place {
  readonly channel: string;
  readonly ts: string;
}

interface Settlement extends RunEnd {
  readonly id: string;
  readonly from: readonly RunStatus[];
  readonly owner: string;
  /** Keeps the run, under this lease, with the owner until its end has been told. */
  readonly untilTold?: Lease;
  readonly nowMs: number;
}

/** Keeps runs. Every change of state is a compare-and-set: it answers whether it was made. */
export type RunStore = ReturnType<typeof createRunStore>;

/** Creates the store of runs. */
export function createRunStore(db: Database) {
  const of = (id: string) => db.updateTable('run').where('id', '=', id);

  return {
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

    async find(id: string): Promise<Run | undefined> {
      const row = await db.selectFrom('run').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toRun(row);
    },

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

    /** Keeps what the confirmation of a waiting run shows, and until when it holds. */
    async show(
      id: string,
      shown: string,
      { notAfterMs, askedAgainMs }: Pick<Run, 'notAfterMs' | 'askedAgainMs'>,
    ) {
      return changed(
        of(id)
          .set({ shown, not_after: notAfterMs, asked_again_at: askedAgainMs })
          .where('status', '=', 'waiting'),
      );
    },

    /** Names what a run acts upon by its identifiers, before anything of it has been shown. */
    async refine(id: string, raw: RawInput, target: string | null): Promise<void> {
      await of(id)
        .set({ input: JSON.stringify(raw), target })
        .where('status', 'in', ['waiting', 'queued'])
        .execute();
    },

    /** A waiting run waits for a second person, in the state that they are shown. */
    async awaitApproval(
      id: string,
      { places, shown, notAfterMs }: { places: readonly Place[]; shown: string; notAfterMs: number },
    ): Promise<boolean> {
      return changed(
        of(id)
          .set({ approval_cards: JSON.stringify(places), shown, not_after: notAfterMs })
          .where('status', '=', 'waiting')
          .where('approved_by', 'is', null),
      );
    },

    /** A second person approves what they were shown: `false` where somebody was faster, or it is too late. */
    async approve(id: string, approverId: string, shown: string | null): Promise<boolean> {
      return changed(
        of(id)
          .set({ approved_by: approverId })
          .where('status', '=', 'waiting')
          .where('approved_by', 'is', null)
          .where('shown', shown === null ? 'is' : '=', shown),
      );
    },

    /** A waiting run goes into the queue, unless it has lapsed. */
    async queue(id: string, lease: Lease, notAfterMs: number, nowMs: number): Promise<boolean> {
      return changed(
        of(id)
          .set({
            status: 'queued',
            owner: lease.owner,
            lease_until: lease.untilMs,
            not_after: notAfterMs,
            queued_at: nowMs,
          })
          .where('status', '=', 'waiting')
          .where('not_after', '>', nowMs),
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
    async settle({ id, from, owner, untilTold, status, result, nowMs }: Settlement): Promise<boolean> {
      return changed(
        of(id)
          .set({
            status,
            ...ending(result, nowMs),
            ...(untilTold && { owner: untilTold.owner, lease_until: untilTold.untilMs }),
          })
          .where('status', 'in', from)
          .where((row) => row.or([row('status', 'in', ['waiting', 'unknown']), row('owner', '=', owner)])),
      );
    },

    /** Ends what has waited past its time, and gives it. */
    async lapse(result: RunEnd['result'], nowMs: number): Promise<readonly Run[]> {
      const rows = await db
        .updateTable('run')
        .set({ status: 'expired', ...ending(result, nowMs) })
        .where('status', '=', 'waiting')
        .where('not_after', '<=', nowMs)
        .returningAll()
        .execute();
      return rows.map(toRun);
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

    /** Gives what an owner has under way. */
    async ownedBy(owner: string): Promise<readonly Run[]> {
      const rows = await db
        .selectFrom('run')
        .selectAll()
        .where('owner', '=', owner)
        .where('status', 'in', ['queued', 'sent'])
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

    /** Says that the owner still works on what it has. */
    async extendLeases({ owner, untilMs }: Lease): Promise<void> {
      await db
        .updateTable('run')
        .set({ lease_until: untilMs })
        .where('owner', '=', owner)
        .where('status', 'in', ['queued', 'sent'])
        .execute();
    },

    /** The end that a run came to at that time has been told: nobody owns it any more. */
    async told(id: string, settledMs: number): Promise<void> {
      await of(id)
        .set({ owner: null, lease_until: null })
        .where('settled_at', '=', settledMs)
        .where('owner', 'is not', null)
        .execute();
    },

    /** Takes over what ended since then and was not told by an owner who is gone: whose lease ended before `leaseBeforeMs`. */
    async adoptUntold(lease: Lease, leaseBeforeMs: number, sinceMs: number): Promise<readonly Run[]> {
      const rows = await db
        .updateTable('run')
        .set({ owner: lease.owner, lease_until: lease.untilMs })
        .where('settled_at', '>=', sinceMs)
        .where('owner', '!=', lease.owner)
        .where('lease_until', '<', leaseBeforeMs)
        .returningAll()
        .execute();
      return rows.map(toRun);
    },

    /** Takes over the runs whose owner is gone: those whose lease ended before `leaseBeforeMs`. */
    async adopt(lease: Lease, leaseBeforeMs: number): Promise<readonly Run[]> {
      const rows = await db
        .updateTable('run')
        .set({ owner: lease.owner, lease_until: lease.untilMs })
        .where('status', 'in', ['queued', 'sent'])
        .where('owner', '!=', lease.owner)
        .where('lease_until', '<', leaseBeforeMs)
        .returningAll()
        .execute();
      return rows.map(toRun);
    },
  };
}

async function changed(update: {
  executeTakeFirst(): Promise<{ numUpdatedRows: bigint }>;
}): Promise<boolean> {
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
}
