import { Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/engines/database.ts';
import { createPostgresDialect } from '../../src/db/engines/postgres.ts';
import { type FreezableProxy, startFreezableProxy } from '../services/freezable-proxy.ts';
import { createPostgresDatabase } from '../services/postgres.ts';

const timeouts = { connectMs: 2_000, queryMs: 1_000 };

/** More queries than the pool has connections. */
const manyQueries = 30;

let server: Awaited<ReturnType<typeof createPostgresDatabase>>;
let proxy: FreezableProxy;
let db: Kysely<Record<never, never>>;

beforeAll(async () => {
  server = await createPostgresDatabase();
  proxy = await startFreezableProxy(server.url);
  db = new Kysely({ dialect: createPostgresDialect(proxy.url, { timeouts }) });
});

afterAll(async () => {
  await db.destroy();
  await proxy.close();
  await server.stop();
});

const ask = () => sql<{ one: number }>`select 1 as one`.execute(db).then(({ rows }) => rows[0]?.one);
const askOften = () => Promise.allSettled(Array.from({ length: manyQueries }, ask));

describe('PostgreSQL whose connections have gone silent', () => {
  test('fails the queries on them, and answers the next ones on new connections', async () => {
    expect((await askOften()).map(({ status }) => status)).not.toContain('rejected');
    proxy.freezeOpenConnections();
    const [lost] = await Promise.allSettled([ask()]);
    expect(lost).toMatchObject({
      status: 'rejected',
      reason: { code: 'database_unreachable', cause: { message: 'Query read timeout' } },
    });
    // Each broken connection fails one query and is then replaced.
    await expect
      .poll(async () => (await askOften()).filter(({ status }) => status === 'rejected').length)
      .toBe(0);
  });
});

test('the server ends a query, and a transaction, that take too long', async () => {
  await expect(sql`select pg_sleep(30)`.execute(db)).rejects.toMatchObject({
    code: expect.stringMatching(/57014|database_unreachable/),
  });
  await expect(
    db.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      await expect
        .poll(async () => {
          const { rows } = await sql<{ count: number }>`
            select count(*)::int as count from pg_stat_activity
            where state = 'idle in transaction' and datname = current_database()
          `.execute(db);
          return rows[0]?.count;
        })
        .toBe(0);
      await sql`select 1`.execute(transaction);
    }),
  ).rejects.toThrow();
});

test('a database that a newer version has migrated is refused with what to do', async () => {
  const other = await createPostgresDatabase();
  const { db: current, close } = await openDatabase(other.url);
  await sql`insert into kysely_migration (name, timestamp) values ('9999_later', 'now')`.execute(current);
  await close();
  await expect(openDatabase(other.url)).rejects.toMatchObject({
    code: 'setting_invalid',
    message:
      'A newer version of Rackhand has changed the database (9999_later). Start that version, or restore a backup from before the upgrade.',
  });
  await other.stop();
});
