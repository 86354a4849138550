import { describe, expect, test } from 'vitest';
import { createVpsAliasStore } from '../../../src/workspaces/aliases/vps-alias-store.ts';
import { deleteWorkspaceRows } from '../../../src/workspaces/erasure/delete-rows.ts';
import { databases, useTestDatabase } from '../../db/test-database.ts';

const alice = { teamId: 'T1', userId: 'U1' };
const gwen = { teamId: 'T2', userId: 'U2' };

describe.each(databases)('VPS aliases in $name', ({ start }) => {
  const database = useTestDatabase(start);
  const createStore = () => createVpsAliasStore(database.db);

  test('belong to one workspace, and one VPS has at most one', async () => {
    const store = createStore();
    await store.set(alice, 'VPS-1', 'web-01', 1);
    await store.set(alice, 'VPS-2', 'db', 2);
    await store.set(alice, 'VPS-1', 'shop', 3);
    await store.set(gwen, 'VPS-1', 'db', 4);
    expect(await store.list('T1')).toEqual([
      { vps: 'VPS-2', alias: 'db', byUserId: 'U1', setMs: 2 },
      { vps: 'VPS-1', alias: 'shop', byUserId: 'U1', setMs: 3 },
    ]);
    expect(await store.byVps('T2')).toEqual(new Map([['VPS-1', 'db']]));
  });

  test.each(['web', 'WEB', 'wеb'])('are unique: %s', async (again) => {
    const store = createStore();
    expect(await store.set(alice, 'VPS-1', 'web', 1)).toBeUndefined();
    expect(await store.set(alice, 'VPS-2', again, 2)).toBe('VPS-1');
    expect(await store.byVps('T1')).toEqual(new Map([['VPS-1', 'web']]));
  });

  test('can be removed, and are deleted with the workspace', async () => {
    const store = createStore();
    await store.set(alice, 'VPS-1', 'web', 1);
    await store.set(alice, 'VPS-2', 'db', 1);
    expect(await store.remove('T1', 'VPS-1')).toBe('web');
    expect(await store.remove('T1', 'VPS-1')).toBeUndefined();
    await deleteWorkspaceRows(database.db, 'T1', { scope: 'installation' });
    expect(await store.list('T1')).toEqual([]);
  });
});
