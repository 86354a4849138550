import { expect, test } from 'vitest';
import { createAccessRequestStore } from '../../src/auth/access-requests/access-request-store.ts';
import { createGrantStore } from '../../src/auth/grants/grant-store.ts';
import { createPendingActStore } from '../../src/auth/second-person/pending-act-store.ts';
import { createRowReader } from '../../src/db/row-reader.ts';
import { startSqlite, useTestDatabase } from '../db/test-database.ts';

const bob = { teamId: 'T0ACME', userId: 'U0BOB' };
const change = { teamId: 'T0ACME', changedBy: 'U0ALICE', nowMs: 1_000 };
const unreadable = { code: 'row_unreadable' };

const database = useTestDatabase(startSqlite);

test('an unreadable request for access affects no other request', async () => {
  const reader = createRowReader();
  const store = createAccessRequestStore(database.db, reader);
  const wanted = { right: 'operate', patterns: ['VPS-10001'], followUpStep: null } as const;
  const [bad, good] = [await store.add(bob, wanted, 1_000), await store.add(bob, wanted, 2_000)];
  await database.db.updateTable('access_request').set({ patterns: '{' }).where('id', '=', bad.id).execute();
  expect(await store.listOpen(bob, 0)).toEqual([good]);
  await expect(store.find('T0ACME', bad.id)).rejects.toMatchObject(unreadable);
  expect(reader.listUnreadable()).toEqual([
    { table: 'access_request', id: bad.id, reason: 'not valid JSON' },
  ]);
});

test('an unreadable request for approval is named', async () => {
  const reader = createRowReader();
  const store = createPendingActStore(database.db, reader);
  const act = { actor: bob, kind: 'reveal', subject: 'secret', title: 'Show', right: 'view' } as const;
  const { id } = await store.add({ ...act, vps: [], expiresMs: 5_000 });
  await database.db.updateTable('pending_act').set({ kind: 'of a later version' }).execute();
  await expect(store.find('T0ACME', id)).rejects.toMatchObject(unreadable);
  expect(reader.listUnreadable()).toMatchObject([{ table: 'pending_act', id }]);
});

test('an unreadable limit of a channel allows nothing there, and the other limits are listed', async () => {
  const store = createGrantStore(database.db);
  for (const channel of ['C0BAD', 'C0GOOD'])
    await store.setChannelLimit(change, { channel, maxRight: 'view' });
  await database.db
    .updateTable('channel_limit')
    .set({ max_right: 'of a later version' })
    .where('channel', '=', 'C0BAD')
    .execute();
  expect(await store.listChannelLimits('T0ACME')).toEqual([{ channel: 'C0GOOD', maxRight: 'view' }]);
  await expect(store.findChannelLimit('T0ACME', 'C0BAD')).rejects.toMatchObject(unreadable);
});

test('an unreadable grant can be revoked', async () => {
  const store = createGrantStore(database.db);
  await store.grant(change, { grantees: ['U0BOB'], right: 'operate', patterns: ['VPS-1', 'VPS-2'] });
  await database.db
    .updateTable('access_grant')
    .set({ granted_right: 'of a later version' })
    .where('pattern', '=', 'VPS-1')
    .execute();
  expect(await store.revoke('T0ACME', 'U0BOB')).toEqual([{ pattern: 'VPS-2', right: 'operate' }]);
  expect(await database.db.selectFrom('access_grant').selectAll().execute()).toEqual([]);
});
