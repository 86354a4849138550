import type { Selectable } from 'kysely';
import type { Database } from '../storage/database.ts';
import type { WatchRoundTable } from '../storage/report-tables.ts';

/** The next round of a workspace's watches. */
export interface Round {
  readonly teamId: string;
  readonly dueMs: number;
  /** The VPS that was read last. */
  readonly lastVps: string | null;
}

/** What a round came to. */
export interface Rounded {
  readonly lastVps: string | null;
  /** How often each VPS is read; nothing where that could not be told. */
  readonly everyMs: number | null;
  readonly calls: number;
}

/** One process's hold on a round. */
export interface RoundClaim {
  /** Unique to this hold. */
  readonly token: string;
  readonly untilMs: number;
}

export type RoundStore = ReturnType<typeof createRoundStore>;

/** Creates the store of the rounds in which watches are looked at. Any number of processes may look at them: each is taken up by compare-and-set. */
export function createRoundStore(db: Database) {
  const held = (token: string) => db.updateTable('watch_round').where('claim', '=', token);
  const free = { claim: null, lease_until: 0 } as const;

  /** The rounds of the workspaces that have watches at work. */
  const living = () =>
    db
      .selectFrom('watch_round')
      .selectAll()
      .where((row) =>
        row.exists(
          row
            .selectFrom('watch')
            .select('watch.id')
            .whereRef('watch.team_id', '=', 'watch_round.team_id')
            .where('watch.state', '=', 'active'),
        ),
      );

  return {
    /** Has the watches of a workspace looked at from now on, if they are not yet. */
    async plan(teamId: string, nowMs: number): Promise<void> {
      await db
        .insertInto('watch_round')
        .values({ team_id: teamId, next_at: nowMs, last_vps: null, every_ms: null, calls: 0, ...free })
        .onConflict((conflict) => conflict.column('team_id').doNothing())
        .execute();
    },

    /** Gives the rounds of the workspaces that have watches at work, soonest first; `dueMs` is no sooner than somebody else's hold lasts. */
    async upcoming(nowMs: number): Promise<readonly Round[]> {
      const rows = await living().execute();
      return rows
        .map((row) => {
          const isHeld = row.claim !== null && row.lease_until > nowMs;
          return { ...toRound(row), dueMs: isHeld ? Math.max(row.next_at, row.lease_until) : row.next_at };
        })
        .sort((a, b) => a.dueMs - b.dueMs);
    },

    /** Takes up a round that is due; `undefined` where somebody else has. */
    async claim(
      { teamId }: Round,
      { token, untilMs }: RoundClaim,
      nowMs: number,
    ): Promise<Round | undefined> {
      const row = await db
        .updateTable('watch_round')
        .set({ claim: token, lease_until: untilMs })
        .where('team_id', '=', teamId)
        .where('next_at', '<=', nowMs)
        .where((one) => one.or([one('claim', 'is', null), one('lease_until', '<=', nowMs)]))
        .returningAll()
        .executeTakeFirst();
      return row && toRound(row);
    },

    /** Says that the process still works on it; `false` where it has lost it. */
    async extend({ token, untilMs }: RoundClaim): Promise<boolean> {
      return isOne(await held(token).set({ lease_until: untilMs }).executeTakeFirst());
    },

    /** Brings a round to its end, and plans the next. */
    async end(token: string, { lastVps, everyMs, calls }: Rounded, nextMs: number): Promise<boolean> {
      const values = { ...free, next_at: nextMs, last_vps: lastVps, every_ms: everyMs, calls };
      return isOne(await held(token).set(values).executeTakeFirst());
    },

    /** Lets another process make the round at once. */
    async handOn(token: string): Promise<void> {
      await held(token).set(free).execute();
    },

    /** Tells how often each VPS of a workspace is read, in ms, and in how many calls of one round, as of the last; nothing where no watch is at work. */
    async paceOf(teamId: string): Promise<Pick<Rounded, 'everyMs' | 'calls'> | undefined> {
      const row = await living().where('team_id', '=', teamId).executeTakeFirst();
      return row && { everyMs: row.every_ms, calls: row.calls };
    },

    /** Takes everybody's hold away, where no other process can live. */
    async freeAll(): Promise<void> {
      await db.updateTable('watch_round').set(free).where('claim', 'is not', null).execute();
    },
  };
}

function toRound(row: Selectable<WatchRoundTable>): Round {
  return { teamId: row.team_id, dueMs: row.next_at, lastVps: row.last_vps };
}

function isOne({ numUpdatedRows }: { numUpdatedRows: bigint }): boolean {
  return numUpdatedRows === 1n;
}
