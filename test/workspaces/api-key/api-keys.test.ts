import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createVault } from '../../../src/db/encryption/vault.ts';
import { openDatabase } from '../../../src/db/engines/database.ts';
import { createTransport } from '../../../src/hosting/client/transport.ts';
import { getStatus } from '../../../src/hosting/endpoints/system.ts';
import { listVps, performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import { createRateLimiter, fingerprintKey } from '../../../src/hosting/quota/rate-limiter.ts';
import type { ResolveAccess } from '../../../src/operations/define/access/access.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import { createRunStore } from '../../../src/runs/store/run-store.ts';
import { createHostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { parseApiKeyInput } from '../../../src/workspaces/api-key/api-key-input.ts';
import { createApiKeyManager } from '../../../src/workspaces/api-key/api-key-manager.ts';
import { createApiKeyStore } from '../../../src/workspaces/api-key/api-key-store.ts';
import { formatApiKey } from '../../../src/workspaces/api-key/format-api-key.ts';
import { createKeyVerifier } from '../../../src/workspaces/api-key/key-verifier.ts';
import { createHostingClients } from '../../../src/workspaces/hosting-clients.ts';
import { createInstallationStore } from '../../../src/workspaces/installation-store.ts';
import { createHostingDriver } from '../../stack.ts';

interface Options {
  readonly resolveAccess?: ResolveAccess;
  /** The quota's window in ms, in the sandbox and in Rackhand. */
  readonly windowMs?: number;
}

/** Starts the hosting sandbox and an API key manager that calls it. The database is in memory. */
async function startApiKeyFixture({
  resolveAccess = async () => () => undefined,
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
  const logger = pino({ level: 'silent' });
  const limiter = await createRateLimiter({
    callTimeoutMs: transport.limits.callTimeoutMs,
    windowMs,
    logger,
  });
  const settings = {
    baseUrl: sandbox.url,
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

const actor = { teamId: 'T1', userId: 'U1' };
const origin = { channel: 'C1' };
const full = { apiKey: 'sandbox-key-full', limit: 50 };

let fixture: Awaited<ReturnType<typeof startApiKeyFixture>>;

/** Registers a fixture for each test of a group. */
function useFixture(): void {
  beforeEach(async () => {
    fixture = await startApiKeyFixture();
  });
  afterEach(() => fixture.close());
}

/** Replaces the fixture of a test by one with other options. */
async function restart(options: Options): Promise<void> {
  await fixture.close();
  fixture = await startApiKeyFixture(options);
}

describe('connecting a key', () => {
  useFixture();

  test('saves a valid key, and audits it without the key itself', async () => {
    expect(await fixture.apiKeys.connect(full, actor, origin)).toMatchObject({
      kind: 'saved',
      change: 'connected',
      status: { service: 'Hosting sandbox', version: 'v1' },
    });
    expect(await fixture.keys.find('T1')).toMatchObject(full);
    const auditRows = await fixture.listAuditRows();
    expect(auditRows).toMatchObject([
      { operation: 'connect', status: 'done', user_id: 'U1', target: 'API key', origin: '{"channel":"C1"}' },
    ]);
    const { fingerprint = '' } = (await fixture.keys.find('T1')) ?? {};
    expect(JSON.stringify(auditRows)).not.toContain('sandbox-key-full');
    expect(JSON.stringify(auditRows)).not.toContain(fingerprint);
  });

  test.each([
    ['is unknown', 'never-made', undefined],
    ['gets a 403', 'sandbox-key-read', 'status:403'],
    ['meets a service that is down', 'sandbox-key-read', 'status:503'],
    ['meets a service that is not the API', 'sandbox-key-read', 'html'],
    ['gets an undocumented status', 'sandbox-key-read', 'status:422'],
  ])('that %s keeps the previous key', async (_, apiKey, fault) => {
    await fixture.apiKeys.connect(full, actor, origin);
    if (fault) await fixture.service.fault(fault, { times: 9 });
    const answer = await fixture.apiKeys.connect({ apiKey, limit: 50 }, actor, origin);
    expect(answer).toMatchObject({ kind: 'invalid', reason: expect.stringMatching(/\.$/) });
    expect(JSON.stringify(answer)).not.toContain(apiKey);
    expect((await fixture.keys.find('T1'))?.apiKey).toBe('sandbox-key-full');
    expect(await fixture.listAuditRows()).toHaveLength(1);
  });

  test('replaces the previous key or its quota, and says which', async () => {
    const changes = [];
    for (const given of [full, full, { ...full, limit: 60 }, { apiKey: 'sandbox-key-read', limit: 60 }]) {
      const answer = await fixture.apiKeys.connect(given, actor, origin, {
        acceptsFewerPermissions: true,
      });
      changes.push(answer.kind === 'saved' && answer.change);
    }
    expect(changes).toEqual(['connected', 'unchanged', 'resized', 'replaced']);
    expect((await fixture.listAuditRows()).map(({ operation }) => operation)).toEqual([
      'connect',
      'rotate',
      'rotate',
    ]);
  });

  test('three times at once is audited once', async () => {
    await Promise.all([1, 2, 3].map(() => fixture.apiKeys.connect(full, actor, origin)));
    expect(await fixture.listAuditRows()).toHaveLength(1);
  });

  test('without the right admin never verifies the key, and audits the denial', async () => {
    await restart({
      resolveAccess: async () => (required) => ({
        message: `You need the right ${required.right}.`,
        advice: 'Ask U0ALICE.',
      }),
    });
    expect(await fixture.apiKeys.connect(full, actor, origin)).toMatchObject({
      kind: 'denied',
      problem: { message: 'You need the right admin.' },
    });
    expect(await fixture.service.calls()).toEqual([]);
    expect(await fixture.keys.find('T1')).toBeUndefined();
    expect(await fixture.listAuditRows()).toMatchObject([
      { operation: 'connect', status: 'refused', error_code: 'not_permitted' },
    ]);
  });

  test('does not save the key if the actor loses the right during the verification', async () => {
    await restart({
      async resolveAccess() {
        const isVerifying = (await fixture.service.calls()).length > 0;
        return () => (isVerifying ? { message: 'You need a right.', advice: 'Ask U0ALICE.' } : undefined);
      },
    });
    expect(await fixture.apiKeys.connect(full, actor, origin)).toMatchObject({
      kind: 'denied',
      problem: { code: 'not_permitted' },
    });
    expect(await fixture.keys.find('T1')).toBeUndefined();
    expect(await fixture.listAuditRows()).toMatchObject([{ operation: 'connect', status: 'refused' }]);
  });

  test('does not save the key if the app is uninstalled during the verification', async () => {
    await restart({
      async resolveAccess() {
        if ((await fixture.service.calls()).length > 0) await fixture.uninstall('T1');
        return () => undefined;
      },
    });
    expect(await fixture.apiKeys.connect(full, actor, origin)).toMatchObject({
      kind: 'denied',
      problem: { code: 'not_installed' },
    });
    expect(await fixture.keys.find('T1')).toBeUndefined();
  });

  test('connects no other workspace', async () => {
    await fixture.apiKeys.connect(full, actor, origin);
    await expect(fixture.hosting('T2').call(getStatus, {}, { lane: 'people' })).rejects.toMatchObject({
      code: 'key_missing',
    });
  });
});

describe('disconnecting', () => {
  useFixture();

  test('ends all use of the key', async () => {
    await fixture.apiKeys.connect(full, actor, origin);
    await fixture.hosting('T1').call(listVps, {}, { lane: 'people' });
    const removals = await Promise.all([1, 2].map(() => fixture.apiKeys.disconnect('T1')));
    expect(removals.filter((existed) => existed)).toHaveLength(1);
    const options = { lane: 'people', maxAgeMs: 60_000 } as const;
    await expect(fixture.hosting('T1').call(listVps, {}, options)).rejects.toMatchObject({
      code: 'key_missing',
    });
  });
});

describe('the key from the settings', () => {
  useFixture();

  test('connects a workspace until a person connects another key', async () => {
    const settingsKey = { apiKey: 'sandbox-key-read', limit: 50 };
    expect(await fixture.apiKeys.saveFromSettings('T1', settingsKey)).toBe(true);
    expect(await fixture.apiKeys.saveFromSettings('T1', { apiKey: 'sandbox-key-other', limit: 50 })).toBe(
      true,
    );
    expect((await fixture.keys.find('T1'))?.apiKey).toBe('sandbox-key-other');
    await fixture.apiKeys.connect(full, actor, origin);
    expect(await fixture.apiKeys.saveFromSettings('T1', settingsKey)).toBe(false);
    expect((await fixture.keys.find('T1'))?.apiKey).toBe('sandbox-key-full');
    expect(await fixture.apiKeys.saveFromSettings('T1', full)).toBe(true);
    expect(await fixture.apiKeys.describe('T1')).toMatchObject({ connectedBy: 'U1' });
  });

  test('keeps its age and its quota at the next start', async () => {
    await fixture.apiKeys.saveFromSettings('T1', full);
    await fixture.apiKeys.connect({ ...full, limit: 70 }, actor, origin);
    const before = await fixture.apiKeys.describe('T1');
    await fixture.apiKeys.saveFromSettings('T1', full);
    expect(await fixture.apiKeys.describe('T1')).toEqual(before);
    expect(before).toMatchObject({ limit: 70, connectedBy: null });
  });
});

describe('the notes about missing permissions', () => {
  const catalogue = hostingOperations();
  const notesFor = (permissions: readonly string[]) =>
    formatApiKey({ status: { service: 's', version: 'v1', permissions }, limit: 50 }, catalogue).notes;

  test('name the operations that need each missing permission', () => {
    expect(notesFor(['vps.read'])).toContain('Not available without proxy_ssh.manage: ssh set.');
    expect(notesFor(['vps.read'])?.join()).not.toContain('without vps.read');
  });
});

const visible = fc.stringMatching(/^[\x21-\x7e]{1,200}$/).filter((text) => !/^(xox|xapp)/i.test(text));

describe('an entered API key', () => {
  test('is accepted unchanged, apart from surrounding whitespace', () => {
    fc.assert(
      fc.property(visible, fc.constantFrom('', ' ', '\n', '\t ', '\u00a0'), (apiKey, whitespace) => {
        const parsed = parseApiKeyInput({ apiKey: `${whitespace}${apiKey}${whitespace}`, limit: undefined });
        expect(parsed).toEqual({ kind: 'valid', input: { apiKey, limit: 50 } });
      }),
    );
  });

  test('is rejected with a sentence that does not contain it', () => {
    fc.assert(
      fc.property(
        visible,
        fc.constantFrom(' ', '\n', 'ü', '“', '\u0000', '🔑'),
        visible,
        (before, odd, after) => {
          const parsed = parseApiKeyInput({ apiKey: `${before}${odd}${after}`, limit: '50' });
          expect(parsed).toMatchObject({
            kind: 'invalid',
            problems: { apiKey: expect.stringMatching(/\.$/) },
          });
          const messages = Object.values(parsed.kind === 'valid' ? {} : parsed.problems).join();
          if (before.length > 9) expect(messages).not.toContain(before);
        },
      ),
    );
  });
});

describe('the quota of an entered key', () => {
  test.each([
    [undefined, 50],
    ['', 50],
    [' 1 ', 1],
    ['10000', 10_000],
  ])('%j means %d', (limit, expected) => {
    expect(parseApiKeyInput({ apiKey: 'a', limit })).toMatchObject({
      kind: 'valid',
      input: { limit: expected },
    });
  });

  test.each(['0', '-1', '1.5', '10001', 'many', '1e3', '٥'])('%j is rejected', (limit) => {
    expect(parseApiKeyInput({ apiKey: 'a', limit })).toMatchObject({
      kind: 'invalid',
      problems: { limit: expect.stringContaining('whole number') },
    });
  });
});

const lane = 'people';

const apiKey = 'sandbox-key-read';

const connect = (teamId: string, limit: number) =>
  fixture.apiKeys.connect({ apiKey, limit }, { teamId, userId: 'U1' }, {});

/** Makes a call of a workspace that isn't worth waiting for. */
const call = (teamId: string, onQueued = () => {}) =>
  fixture.hosting(teamId).call(getStatus, {}, { lane, notAfterMs: Date.now() + 500, onQueued });

describe('if two workspaces have connected the same key with different quotas', () => {
  useFixture();

  test('the lowest one holds for both', async () => {
    await connect('T1', 3);
    await connect('T2', 50);
    await call('T2');
    await expect(call('T2')).rejects.toMatchObject({ code: 'deadline_passed' });
    expect((await fixture.hosting('T2').usage()).limit).toBe(3);
  });

  test('the lowest one holds while the other is checked', async () => {
    await connect('T1', 1);
    const queued = Promise.withResolvers<void>();
    const waiting = call('T1', queued.resolve);
    await queued.promise;
    void connect('T2', 50);
    await expect(waiting).rejects.toMatchObject({ code: 'deadline_passed' });
  });

  test('the other one holds once the lowest one is raised', async () => {
    await restart({ windowMs: 600 });
    await connect('T1', 3);
    await connect('T2', 50);
    await connect('T1', 60);
    expect((await fixture.hosting('T1').usage()).limit).toBe(50);
  });
});

describe('a call that waits for the quota while the key is replaced', () => {
  useFixture();
  const actor = { teamId: 'T1', userId: 'U1' };

  /** Connects a key with a quota of one call, and uses it up. */
  async function startWithQuotaUsedUp() {
    await restart({ windowMs: 600 });
    await fixture.keys.save('T1', { apiKey: 'sandbox-key-read', fingerprint: 'old', limit: 1 }, 1);
    await fixture.hosting('T1').call(getStatus, {}, { lane });
  }

  async function listCallingKeys(path: string) {
    return (await fixture.service.calls()).filter((call) => call.path === path).map(({ key }) => key);
  }

  test('is sent once, with the new key', async () => {
    await startWithQuotaUsedUp();
    let sendCount = 0;
    const input = { params: { vps_name: 'VPS-10001' }, body: { action: 'reboot' } };
    const waiting = fixture.hosting('T1').call(performVpsAction, input, {
      lane,
      async beforeSend() {
        sendCount += 1;
      },
    });
    await fixture.apiKeys.connect({ apiKey: 'sandbox-key-full', limit: 50 }, actor, {});
    await waiting;
    expect(await listCallingKeys('/v1/vps/VPS-10001/action')).toEqual(['sandbox-key-full']);
    expect(sendCount).toBe(1);
  });

  test('is not sent if the key was deleted', async () => {
    await startWithQuotaUsedUp();
    const waiting = fixture.hosting('T1').call(listVps, {}, { lane });
    const ended = expect(waiting).rejects.toMatchObject({ code: 'key_missing' });
    await fixture.apiKeys.disconnect(actor.teamId);
    await ended;
    expect(await listCallingKeys('/v1/vps')).toEqual([]);
  });
});
