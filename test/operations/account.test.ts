import { describe, expect, test } from 'vitest';
import type { GetEndpoint } from '../../src/hosting/endpoints/endpoint.ts';
import { getMe, getStatus } from '../../src/hosting/endpoints/system.ts';
import type { QuotaUsage } from '../../src/hosting/quota/rate-limiter.ts';
import { quota } from '../../src/operations/account/quota.ts';
import type { CheckAccess } from '../../src/operations/define/access/access.ts';
import { hostingOperations } from '../../src/operations/hosting-operations.ts';
import { createContext, createStubRead, runRead, serializePublicPart } from './operation-harness.ts';

const help = (topic = '', checkAccess: CheckAccess = () => undefined) =>
  runRead('help', { topic }, new Map(), { loadAccess: async () => checkAccess });

const refused = { message: "You don't have it.", advice: 'Ask.' };
const viewOnly: CheckAccess = ({ right }) => (right === 'view' ? undefined : refused);

describe('help', () => {
  test('names every operation under the heading of its group, with a button for each group', async () => {
    const { facts = [], next = [] } = await help();
    const { groups } = hostingOperations();
    expect(facts.map(({ label }) => label)).toEqual(groups.map(({ heading }) => heading));
    for (const [index, { operations }] of groups.entries()) {
      const value = String(facts[index]?.value);
      for (const { name } of operations) for (const word of name.split(' ')) expect(value).toContain(word);
    }
    for (const { input } of next) {
      expect((await help(String(input.topic))).listings?.[0]?.items.length).toBeGreaterThan(0);
    }
  });

  test('offers Request Access for an operation that the reader may not run', async () => {
    expect((await help('lb create', viewOnly)).next).toEqual([
      { label: 'Request Access', operation: 'access ask', input: { right: 'operate' }, opensForm: true },
    ]);
  });

  test('names the operations that the reader may not run, too', async () => {
    const { notes = [] } = await help('', viewOnly);
    for (const word of ['reboot', 'reinstall', 'regenerate']) expect(notes[0]).toContain(word);
  });

  test('suggests the closest name for an unknown one', async () => {
    await expect(help('rebot')).rejects.toThrow('Did you mean "reboot"?');
  });
});

const idle: QuotaUsage = {
  limit: 50,
  backgroundLimit: 40,
  reportLimit: 36,
  holdMs: 60_250,
  used: { people: 0, background: 0 },
  ownPeople: { used: 0, limit: 40 },
  waiting: { people: 0, background: 0 },
  wait: { people: { waitMs: 0, reason: 'quota' }, background: { waitMs: 0, reason: 'quota' } },
};

async function runQuota(usage: Partial<QuotaUsage>) {
  if (quota.kind !== 'read') throw new Error('the quota is only read');
  const context = {
    ...createContext(createStubRead(new Map())),
    quotaUsage: async () => ({ ...idle, ...usage }),
  };
  return quota.run(context, {});
}

describe('the quota', () => {
  test('shows what is left, and that no call waits', async () => {
    const { title, facts } = await runQuota({ used: { people: 3, background: 6 } });
    expect(title).toBe('41 of 50 calls left this minute');
    expect(facts).toContainEqual({ label: 'Used in the background', value: '6 of at most 40' });
    expect(facts).toContainEqual({ label: 'Waiting', value: 'none' });
    expect(facts).toContainEqual({ label: 'Wait for your next call', value: 'none' });
  });

  test('shows how many calls wait, and for how long at least', async () => {
    const { title, facts } = await runQuota({
      used: { people: 50, background: 0 },
      waiting: { people: 1, background: 4 },
      wait: { people: { waitMs: 12_001, reason: 'quota' }, background: { waitMs: 70_000, reason: 'lane' } },
    });
    expect(title).toBe('0 of 50 calls left this minute');
    expect(facts).toContainEqual({ label: 'Waiting', value: '1 call by people, 4 in the background' });
    expect(facts).toContainEqual({
      label: 'Wait for your next call',
      value: { kind: 'duration', durationMs: 13_000 },
    });
  });

  test('that was lowered below its usage is used up, not overdrawn', async () => {
    expect((await runQuota({ limit: 1, used: { people: 2, background: 0 } })).title).toBe(
      '0 of 1 call left this minute',
    );
  });
});

describe('whoami', () => {
  const status = {
    version: 'v1',
    service: 'S',
    timestamp: '2030-01-01T00:00:00+00:00',
    permissions: ['vps.read', 'ip.read'],
  };
  const whoami = (me: unknown, held: unknown = status) =>
    runRead(
      'whoami',
      {},
      new Map<GetEndpoint, unknown>([
        [getMe, me],
        [getStatus, held],
      ]),
    );

  test('the owner of the key is shown with the permissions of the key', async () => {
    expect((await whoami({ user: { email: 'ops@acme.example' } })).facts).toEqual([
      { label: 'User email', value: 'ops@acme.example' },
      { label: 'Key permissions', value: 'vps.read, ip.read' },
    ]);
  });

  test('the key itself is never shown', async () => {
    const outcome = await whoami({ name: 'Acme', api_key: 'k-12345678' });
    expect(serializePublicPart(outcome)).not.toContain('k-12345678');
  });
});
