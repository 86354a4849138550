import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { createQuota, fingerprintKey } from '../../src/hosting/quota/quota.ts';
import { createTransport } from '../../src/hosting/transport.ts';
import type { Access } from '../../src/operations/runs/access.ts';
import { createRunStore } from '../../src/operations/runs/run-store.ts';
import { createHostingSandbox } from '../../src/sandbox/hosting/sandbox.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { createVault } from '../../src/storage/vault.ts';
import { createApiKeyStore } from '../../src/workspaces/api-key-store.ts';
import { createConnection } from '../../src/workspaces/connection/connection.ts';
import { createKeyTrial } from '../../src/workspaces/connection/key-trial.ts';
import { createHostingAccess } from '../../src/workspaces/hosting-access.ts';
import { createInstallationStore } from '../../src/workspaces/installation-store.ts';
import { serviceControl } from '../stack.ts';

interface Options {
  readonly access?: Access;
  /** Length of the window that a quota counts in, of the service and of ours alike. */
  readonly windowMs?: number;
}

/** Starts a hosting service, and what connects workspaces to it: real parts, with a database in memory. */
export async function startConnecting({
  access = async () => () => undefined,
  windowMs = 60_000,
}: Options = {}) {
  const sandbox = await createHostingSandbox({ port: 0, windowMs });
  const { db, close } = await openDatabase('sqlite::memory:');
  const vault = createVault([randomBytes(32)]);
  const keys = createApiKeyStore(db, vault);
  const installations = createInstallationStore(db, vault);
  const installation = {
    teamName: 'T',
    enterpriseId: null,
    botToken: 'token',
    botId: 'B1',
    botUserId: 'U0BOT',
  };
  for (const teamId of ['T1', 'T2']) await installations.save({ ...installation, teamId }, 1);
  const transport = createTransport();
  const log = pino({ level: 'silent' });
  const quota = await createQuota({ callTimeoutMs: transport.limits.callTimeoutMs, windowMs, log });
  const settings = { baseUrl: sandbox.url, keyHeader: 'authorization', openPaths: {} } as const;
  const connection = createConnection({
    keys,
    installations,
    runs: createRunStore(db),
    access,
    tryKey: createKeyTrial({ settings, transport, quota, now: Date.now }),
    fingerprint: (apiKey) => fingerprintKey('secret', apiKey),
  });
  return {
    db,
    keys,
    connection,
    uninstall: (teamId: string) => installations.remove({ ...installation, teamId }),
    hosting: createHostingAccess({ keys, settings, transport, quota }),
    service: serviceControl(sandbox.url),
    /** The record, oldest first. */
    record: () => db.selectFrom('run').selectAll().orderBy('requested_at').execute(),
    async close() {
      await quota.close();
      await transport.close();
      await close();
      await sandbox.close();
    },
  };
}
