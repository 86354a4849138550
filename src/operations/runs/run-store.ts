import { randomUUID } from 'node:crypto';
import type { Database } from '../../storage/database.ts';
import type { RunRow, RunStatus } from '../../storage/schema.ts';
import type { Progress } from '../operation.ts';
import type { RawInput, ToldOutcome } from '../outcome.ts';
import type { Problem } from './problem.ts';
import type { Asker, Origin, Run, RunEnd, RunResult } from './run.ts';

/** Which process works on a run, and until when it is taken to be alive. */
export interface Lease {
  readonly owner: string;
  readonly untilMs: number;
}

interface Settlement extends RunEnd {
  readonly id: string;
  readonly from: readonly RunStatus[];
  readonly owner: string;
  readonly nowMs: number;
}

/** What was done without a run of its own and belongs into the record: a key that was connected, a right that was granted. */
export interface RecordEntry {
  readonly asker: Asker;
  /** As the record names it: the name of an operation, or what comes nearest to one. */
  readonly operation: string;
  readonly target: string | null;
  readonly origin?: Origin;
  readonly status: 'done' | 'refused';
  /** Without secrets: it is kept as it is. */
  readonly outcome: ToldOutcome | Problem;
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
    async record({ asker, operation, target, origin = {}, status, outcome, nowMs }: RecordEntry) {
      const id = randomUUID();
      await db
        .insertInto('run')
        .values({
          id,
          request_key: `record:${id}`,
          team_id: asker.teamId,
          user_id: asker.userId,
          operation,
          input: '{}',
          target,
          origin: JSON.stringify(origin),
          status,
          requested_at: nowMs,
          ...ending(resultOf(outcome), nowMs),
        })
        .execute();
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
    async settle({ id, from, owner, status, result, nowMs }: Settlement): Promise<boolean> {
      return changed(
        of(id)
          .set({ status, ...ending(result, nowMs) })
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

function resultOf(told: ToldOutcome | Problem): RunResult {
  return 'code' in told ? { kind: 'problem', problem: told } : { kind: 'outcome', outcome: told };
}

function ending(result: RunEnd['result'], nowMs: number) {
  return {
    outcome: JSON.stringify(result),
    error_code: result.kind === 'problem' ? result.problem.code : null,
    settled_at: nowMs,
    owner: null,
    lease_until: null,
  };
}

async function changed(update: {
  executeTakeFirst(): Promise<{ numUpdatedRows: bigint }>;
}): Promise<boolean> {
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
}

function toRun(row: RunRow): Run {
  return {
    id: row.id,
    asker: { teamId: row.team_id, userId: row.user_id },
    operation: row.operation,
    input: JSON.parse(row.input),
    target: row.target,
    origin: JSON.parse(row.origin),
    status: row.status,
    shown: row.shown,
    askedAgainMs: row.asked_again_at,
    notAfterMs: row.not_after,
    message:
      row.message_channel && row.message_ts ? { channel: row.message_channel, ts: row.message_ts } : null,
    result: row.outcome === null ? null : JSON.parse(row.outcome),
    progress: row.progress === null ? null : JSON.parse(row.progress),
    requestedMs: row.requested_at,
    queuedMs: row.queued_at,
    settledMs: row.settled_at,
  };
}
