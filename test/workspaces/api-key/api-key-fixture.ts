import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { createVault } from '../../../src/db/encryption/vault.ts';
import { openDatabase } from '../../../src/db/engines/database.ts';
import { createTransport } from '../../../src/hosting/client/transport.ts';
import { createRateLimiter, fingerprintKey } from '../../../src/hosting/quota/rate-limiter.ts';
import type { ResolveAccess } from '../../../src/operations/define/access/access.ts';
import { createRunStore } from '../../../src/runs/store/run-store.ts';
import { createHostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { createApiKeyManager } from '../../../src/workspaces/api-key/api-key-manager.ts';
import { createApiKeyStore } from '../../../src/workspaces/api-key/api-key-store.ts';
import { createKeyVerifier } from '../../../src/workspaces/api-key/key-verifier.ts';
import { createHostingClients } from '../../../src/workspaces/hosting-clients.ts';
import { createInstallationStore } from '../../../src/workspaces/installation-store.ts';
import { createHostingDriver } from '../../stack.ts';

interface Options {
  readonly resolveAccess?: ResolveAccess;
  /** The quota's window in ms, in the sandbox and in Rackhand. */
  readonly windowMs?: number;
  /** The service to connect to. Defaults to the hosting sandbox. */
  readonly serviceUrl?: string;
}

/** Starts the hosting sandbox and an API key manager that calls it. The database is in memory. */
export async function startApiKeyFixture({
  resolveAccess = async () => () => undefined,
  windowMs = 60_000,
  serviceUrl,
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
  const logger = pino({ level: 'silent' });
  const limiter = await createRateLimiter({
    callTimeoutMs: transport.limits.callTimeoutMs,
    windowMs,
    logger,
  });
  const settings = {
    baseUrl: serviceUrl ?? sandbox.url,
    keyHeader: 'authorization',
    pathOverrides: {},
  } as const;
  const apiKeys = createApiKeyManager({
    keys,
    installations,
    runs: createRunStore(db, vault),
    resolveAccess,
    verifyKey: createKeyVerifier({ settings, transport, rateLimiter: limiter, now: Date.now }),
    fingerprint: (apiKey) => fingerprintKey('secret', apiKey),
  });
  return {
    db,
    keys,
    apiKeys,
    uninstall: (teamId: string) => installations.remove({ ...installation, teamId }),
    hosting: createHostingClients({
      keys,
      settings,
      transport,
      rateLimiter: limiter,
      assertActive: async () => {},
    }),
    service: createHostingDriver(sandbox.url),
    /** Returns the audit log, oldest entry first. */
    listAuditRows: () => db.selectFrom('run').selectAll().orderBy('requested_at').execute(),
    async close() {
      await limiter.close();
      await transport.close();
      await close();
      await sandbox.close();
    },
  };
}
