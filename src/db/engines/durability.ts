import type { CompiledQuery, Kysely, KyselyPlugin } from 'kysely';

const relaxedQueries = new WeakSet<object>();

const markAsRelaxed: KyselyPlugin = {
  transformQuery({ node, queryId }) {
    relaxedQueries.add(queryId);
    return node;
  },
  transformResult: async ({ result }) => result,
};

/**
 * Returns the database for writes that can be lost in a power failure without harm. On SQLite they
 * don't wait for the disk; the next write that waits syncs them too. A crash of the process loses
 * none.
 */
export function withoutSync<Schema>(db: Kysely<Schema>): Kysely<Schema> {
  return db.withPlugin(markAsRelaxed);
}

/** Returns whether the caller of a write waits until it is on the disk. */
export function isDurable({ queryId }: CompiledQuery): boolean {
  return !relaxedQueries.has(queryId);
}
