import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { type Database, type OpenDatabase, openDatabase } from '../../../src/db/engines/database.ts';
import type { Schema } from '../../../src/db/schema/schema.ts';
import { storedData } from '../../../src/db/stored-data.ts';

/** Where a process can be delayed, frozen or crash. Never resolves in a process that has crashed. */
export type Gate = (place: string) => Promise<void>;

/** A change of a run's status, as SQLite saw it. */
export interface StatusChange {
  readonly run_id: string;
  readonly old_status: string;
  readonly new_status: string;
  readonly owner: string | null;
}

/** One SQLite database in memory that several simulated processes use. */
export interface SharedDatabase {
  /** Without gates, for the checker. */
  readonly db: Database;
  /** Opens the database for a process. Each of its statements passes the gate before and after. */
  connect(gate: Gate, onCrash: (rollBack: () => void) => void): Database;
  listStatusChanges(): Promise<readonly StatusChange[]>;
  /** Whether a transaction is open. What it has written can be read, but may be rolled back. */
  hasTransaction(): boolean;
  /** Empties all tables for the next seed. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function openSharedDatabase(): Promise<SharedDatabase> {
  const { db, close }: OpenDatabase = await openDatabase('sqlite::memory:');
  await sql`create table status_change (
    run_id text not null, old_status text not null, new_status text not null, owner text
  )`.execute(db);
  await sql`create trigger watch_status after update of status on run when old.status <> new.status
    begin insert into status_change values (old.id, old.status, new.status, new.owner); end`.execute(db);
  /** Resolves when no transaction is open. */
  let free = Promise.resolve();
  let locks = 0;

  async function lock(): Promise<() => void> {
    const before = free;
    const { promise, resolve } = Promise.withResolvers<void>();
    free = promise;
    locks += 1;
    await before;
    return () => {
      locks -= 1;
      resolve();
    };
  }

  return {
    db,
    connect(gate, onCrash) {
      return new Kysely<Schema>({
        dialect: {
          createAdapter: () => new SqliteAdapter(),
          createDriver: () => createDriver(db, gate, lock, onCrash),
          createIntrospector: (one) => new SqliteIntrospector(one),
          createQueryCompiler: () => new SqliteQueryCompiler(),
        },
      });
    },
    async listStatusChanges() {
      const { rows } = await sql<StatusChange>`select * from status_change order by rowid`.execute(db);
      return rows;
    },
    hasTransaction: () => locks > 0,
    async clear() {
      for (const table of [...Object.keys(storedData), 'status_change'])
        await sql`delete from ${sql.table(table)}`.execute(db);
    },
    close,
  };
}

const nowMarker = 'the time of the database';

/** The time at which the database runs a statement, as a server's own clock would tell it. */
export const databaseNow = sql<number>`cast(${nowMarker} as bigint)`;

const never = new Promise<never>(() => {});

const changesData = /^\s*(insert|update|delete)/i;

function createDriver(
  db: Database,
  gate: Gate,
  lock: () => Promise<() => void>,
  onCrash: (rollBack: () => void) => void,
): Driver {
  const run = (query: CompiledQuery) =>
    db.executeQuery({
      ...query,
      parameters: query.parameters.map((value) => (value === nowMarker ? `${Date.now()}` : value)),
    });

  /** A connection holds the lock for one statement, or for its whole transaction. */
  function createConnection() {
    let unlock: (() => void) | undefined;
    /** The process crashed in the transaction. What it does in the same moment no longer counts. */
    let isRolledBack = false;
    let isEnding = false;
    const connection: DatabaseConnection = {
      async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
        await gate(`before ${query.sql}`);
        if (isRolledBack) return never;
        const release = unlock ? undefined : await lock();
        let result: QueryResult<Row>;
        try {
          result = (await run(query)) as QueryResult<Row>;
        } finally {
          release?.();
        }
        if (changesData.test(query.sql)) await gate(`after ${query.sql}`);
        return result;
      },
      // biome-ignore lint/correctness/useYield: nothing streams.
      async *streamQuery() {
        throw new Error('not supported');
      },
    };
    return {
      connection,
      async begin() {
        await gate('before a transaction');
        const release = await lock();
        unlock = () => {
          unlock = undefined;
          release();
        };
        let hasBegun = false;
        onCrash(() => {
          if (isEnding) return;
          isRolledBack = true;
          if (hasBegun && unlock) void run(CompiledQuery.raw('rollback')).finally(unlock);
          else unlock?.();
        });
        await gate('before a transaction');
        if (isRolledBack) return never;
        hasBegun = true;
        await run(CompiledQuery.raw('begin'));
      },
      async end(command: 'commit' | 'rollback') {
        if (isRolledBack) return never;
        isEnding = true;
        await run(CompiledQuery.raw(command));
        unlock?.();
      },
    };
  }

  const opened = new Map<DatabaseConnection, ReturnType<typeof createConnection>>();
  return {
    init: async () => {},
    async acquireConnection() {
      const one = createConnection();
      opened.set(one.connection, one);
      return one.connection;
    },
    beginTransaction: async (connection) => opened.get(connection)?.begin(),
    commitTransaction: async (connection) => opened.get(connection)?.end('commit'),
    rollbackTransaction: async (connection) => opened.get(connection)?.end('rollback'),
    releaseConnection: async (connection) => void opened.delete(connection),
    destroy: async () => {},
  };
}
