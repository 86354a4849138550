import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createVault } from '../../src/db/encryption/vault.ts';
import { openDatabase } from '../../src/db/engines/database.ts';
import { createInstallationStore } from '../../src/workspaces/installation-store.ts';
import { startFreezableProxy } from '../services/freezable-proxy.ts';
import { createPostgresDatabase } from '../services/postgres.ts';

const acme = {
  teamId: 'T0ACME',
  teamName: 'Acme',
  enterpriseId: null,
  botToken: 'xoxb-1',
  botId: 'B1',
  botUserId: 'U1',
};

test('while PostgreSQL is silent, a known installation is found for an hour, and no longer', async () => {
  const server = await createPostgresDatabase();
  const proxy = await startFreezableProxy(server.url);
  const { db, close } = await openDatabase(proxy.url);
  let nowMs = 0;
  const store = createInstallationStore(db, createVault([randomBytes(32)]), () => nowMs);
  await store.save(acme, nowMs);
  await store.find('T0ACME');

  proxy.freezeOpenConnections();
  proxy.freezeNewConnections(true);
  nowMs = 59 * 60_000;
  expect(await Promise.all([store.find('T0ACME'), store.findFor({ teamId: 'T0ACME' })])).toEqual([
    acme,
    acme,
  ]);
  nowMs = 61 * 60_000;
  await expect(store.find('T0ACME')).rejects.toMatchObject({ code: 'database_unreachable' });

  proxy.freezeNewConnections(false);
  await expect.poll(() => store.find('T0ACME').catch(() => undefined)).toEqual(acme);
  await close();
  await proxy.close();
  await server.stop();
});
