import type { Database } from '../../storage/database.ts';
import { type RecordedRun, recordedColumns, toRecorded } from './recorded-run.ts';

/** A channel that is told what comes onto the record of its workspace. */
export interface Follower {
  readonly teamId: string;
  readonly channel: string;
  readonly setBy: string;
  readonly setMs: number;
}

/** A follower that a process tells at the moment. */
export interface Taken extends Follower {
  /** What ended before this, but for what came late, has been told. */
  readonly toldUntilMs: number;
}

/** Which process tells, and until when it is taken to be alive. */
interface Lease {
  readonly owner: string;
  readonly untilMs: number;
}

/**
 * How much later than it says a run may come onto the record: its end is kept again and again for some seconds while the database fails, and
 * replicas differ in their clocks.
 */
const latestMs = 5 * 60_000;

export type FollowerStore = ReturnType<typeof createFollowerStore>;

/** Creates the store of the channels that follow along, and of what they have been told. */
export function createFollowerStore(db: Database) {
  const only = ({ teamId, channel, setMs }: Follower) =>
    db
      .updateTable('record_follower')
      .where('team_id', '=', teamId)
      .where('channel', '=', channel)
      .where('set_at', '=', setMs);

  return {
    /** Lets a channel follow along from now on, in place of any other of its workspace. */
    async set({ teamId, channel, setBy, setMs }: Follower): Promise<void> {
      const values = {
        channel,
        set_by: setBy,
        set_at: setMs,
        told_until: setMs,
        owner: null,
        lease_until: 0,
      };
      await db
        .insertInto('record_follower')
        .values({ team_id: teamId, ...values })
        .onConflict((conflict) => conflict.column('team_id').doUpdateSet(values))
        .execute();
    },

    async find(teamId: string): Promise<Follower | undefined> {
      const row = await db
        .selectFrom('record_follower')
        .selectAll()
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      return row && { teamId, channel: row.channel, setBy: row.set_by, setMs: row.set_at };
    },

    /** Ends it; answers whether it was this that ended it. */
    async remove({ teamId, channel, setMs }: Follower): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('record_follower')
        .where('team_id', '=', teamId)
        .where('channel', '=', channel)
        .where('set_at', '=', setMs)
        .executeTakeFirst();
      if (numDeletedRows !== 1n) return false;
      await db.deleteFrom('record_told').where('team_id', '=', teamId).execute();
      return true;
    },

    /** Takes the followers that nobody else tells at the moment, or goes on with them. */
    async take({ owner, untilMs }: Lease, nowMs: number): Promise<readonly Taken[]> {
      const rows = await db
        .updateTable('record_follower')
        .set({ owner, lease_until: untilMs })
        .where((row) => row.or([row('owner', '=', owner), row('lease_until', '<=', nowMs)]))
        .returningAll()
        .execute();
      return rows.map((row) => ({
        teamId: row.team_id,
        channel: row.channel,
        setBy: row.set_by,
        setMs: row.set_at,
        toldUntilMs: row.told_until,
      }));
    },

    /** Gives back what a process has taken, as it stops. */
    async release(owner: string): Promise<void> {
      await db
        .updateTable('record_follower')
        .set({ owner: null, lease_until: 0 })
        .where('owner', '=', owner)
        .execute();
    },

    /** Gives what ended since a channel follows along and was not told yet, oldest first. */
    async untold({ teamId, setMs, toldUntilMs }: Taken, most: number): Promise<readonly RecordedRun[]> {
      const rows = await db
        .selectFrom('run')
        .select(recordedColumns)
        .where('team_id', '=', teamId)
        .where('settled_at', '>=', Math.max(setMs, toldUntilMs - latestMs))
        .where((row) =>
          row.not(
            row.exists(
              row
                .selectFrom('record_told')
                .select('record_told.run_id')
                .whereRef('record_told.team_id', '=', 'run.team_id')
                .whereRef('record_told.settled_at', '=', 'run.settled_at')
                .whereRef('record_told.run_id', '=', 'run.id'),
            ),
          ),
        )
        .orderBy('settled_at')
        .orderBy('id')
        .limit(most)
        .execute();
      return rows.map(toRecorded);
    },

    /** Keeps that these were told, the last one last, and forgets what need not be known any more. */
    async keepTold(follower: Taken, told: readonly RecordedRun[]): Promise<void> {
      const { teamId } = follower;
      const ends = told.flatMap(({ id, settledMs }) => (settledMs === null ? [] : [{ id, settledMs }]));
      if (ends.length === 0) return;
      await db
        .insertInto('record_told')
        .values(ends.map(({ id, settledMs }) => ({ team_id: teamId, run_id: id, settled_at: settledMs })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const untilMs = Math.max(follower.toldUntilMs, ...ends.map(({ settledMs }) => settledMs));
      await only(follower).set({ told_until: untilMs }).execute();
      await db
        .deleteFrom('record_told')
        .where('team_id', '=', teamId)
        .where('settled_at', '<', untilMs - 2 * latestMs)
        .execute();
    },
  };
}
