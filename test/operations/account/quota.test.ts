import { describe, expect, test } from 'vitest';
import type { QuotaUsage } from '../../../src/hosting/quota/rate-limiter.ts';
import { quota } from '../../../src/operations/account/quota.ts';
import { createContext, createStubRead } from '../operation-harness.ts';

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

  test.each([
    ['quota', "this minute's request quota is used up"],
    ['caller', "your share of this minute's request quota is used up"],
  ] as const)('says why a call waits: %s', async (reason, text) => {
    const { notes } = await runQuota({
      wait: { people: { waitMs: 9_000, reason }, background: { waitMs: 0, reason: 'quota' } },
    });
    expect(notes).toContain(`Your next call waits because ${text}.`);
  });

  test('says what is reserved, and why', async () => {
    const { notes } = await runQuota({});
    expect(notes).toContain(
      '10 calls a minute stay reserved for other people, so that nobody waits for all your calls.',
    );
    expect(notes).toContain('Reports and other background work leave 10 calls a minute to people.');
    const { notes: ofOne } = await runQuota({
      limit: 1,
      backgroundLimit: 1,
      ownPeople: { used: 0, limit: 1 },
    });
    expect(ofOne).toEqual(['A call counts for a minute after its response. This check uses no call.']);
  });

  test('that was lowered below its usage is used up, not overdrawn', async () => {
    expect((await runQuota({ limit: 1, used: { people: 2, background: 0 } })).title).toBe(
      '0 of 1 call left this minute',
    );
  });
});
