import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SelectQueryNode,
  SqliteAdapter,
  type SqliteDialect,
} from 'kysely';
import { isDurable } from './durability.ts';

/** How a database's writes get to the disk. */
export interface Durability {
  /** Resolves when all writes that were made so far are on the disk. */
  sync(): Promise<void>;
  /**
   * Called after a write. Resolves when other statements can run again, which is at once unless the
   * log of writes has to be copied into the database file.
   */
  written(): Promise<void>;
  close(): Promise<void>;
}

/** Matches handwritten statements that change nothing. */
const readsOnly = /^\s*(select|pragma|explain|begin|commit|rollback|savepoint|release)\b/i;

/**
 * Wraps a dialect whose connection doesn't sync at a commit. A write resolves when it is on the
 * disk, but meanwhile other statements run and the event loop is free.
 */
export function makeDurable(dialect: SqliteDialect, durability: Durability): Dialect {
  return {
    createAdapter: () => new LockedByDriver(),
    createDriver: () => new DurableSqliteDriver(dialect.createDriver(), durability),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

/** The driver itself lets one task use the connection at a time. Kysely would hold it too long. */
class LockedByDriver extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** Lets Kysely migrate in one transaction, so that an interrupted migration leaves nothing behind. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class DurableSqliteDriver implements Driver {
  readonly #driver: Driver;
  readonly #durability: Durability;
  /** Resolves when the connection is free for the next task in the line. */
  #free: Promise<void> = Promise.resolve();

  constructor(driver: Driver, durability: Durability) {
    this.#driver = driver;
    this.#durability = durability;
  }

  init(): Promise<void> {
    return this.#driver.init();
  }

  async acquireConnection(): Promise<LockedConnection> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const free = this.#free;
    this.#free = promise;
    await free;
    return new LockedConnection(await this.#driver.acquireConnection(), resolve);
  }

  beginTransaction(...args: Parameters<Driver['beginTransaction']>): Promise<void> {
    return this.#driver.beginTransaction(...args);
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#driver.commitTransaction(connection);
  }

  /** A full or broken disk makes SQLite roll back by itself. The reason for that must stay visible. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await this.#driver.rollbackTransaction(connection);
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
    }
  }

  async releaseConnection(connection: LockedConnection): Promise<void> {
    const { hasWritten, needsSync } = connection;
    try {
      if (hasWritten) await this.#durability.written();
    } finally {
      connection.unlock();
    }
    if (needsSync) await this.#durability.sync();
  }

  async destroy(): Promise<void> {
    await this.#free;
    await this.#durability.close();
    await this.#driver.destroy();
  }
}

class LockedConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly unlock: () => void;
  hasWritten = false;
  needsSync = false;

  constructor(connection: DatabaseConnection, unlock: () => void) {
    this.#connection = connection;
    this.unlock = unlock;
  }

  async executeQuery<R>(query: CompiledQuery) {
    const result = await this.#connection.executeQuery<R>(query);
    const changesNothing =
      SelectQueryNode.is(query.query) || result.numAffectedRows === 0n || readsOnly.test(query.sql);
    if (!changesNothing) {
      this.hasWritten = true;
      this.needsSync ||= isDurable(query);
    }
    return result;
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number) {
    return this.#connection.streamQuery<R>(query, chunkSize);
  }
}
