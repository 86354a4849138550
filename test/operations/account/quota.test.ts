import { describe, expect, test } from 'vitest';
import type { QuotaUsage } from '../../../src/hosting/rate-limit/rate-limiter.ts';
import { quota } from '../../../src/operations/account/quota.ts';
import { createContext, createStubRead } from '../operation-harness.ts';

const idle: QuotaUsage = {
  limit: 50,
  backgroundLimit: 40,
  backgroundLineLimit: 36,
  holdMs: 60_250,
  used: { people: 0, background: 0 },
  ownPeople: { used: 0, limit: 30 },
  waiting: { people: 0, background: 0 },
  waitMs: { people: 0, background: 0 },
  waitReason: { people: 'quota', background: 'quota' },
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
      waitMs: { people: 12_001, background: 70_000 },
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
    ['unknown', "Rackhand doesn't know yet how much of the request quota is used"],
  ] as const)('says why a call waits: %s', async (people, text) => {
    const { notes } = await runQuota({
      waitMs: { people: 9_000, background: 0 },
      waitReason: { people, background: 'quota' },
    });
    expect(notes).toContain(`Your next call waits because ${text}.`);
  });

  test('that was lowered below its usage is used up, not overdrawn', async () => {
    expect((await runQuota({ limit: 1, used: { people: 2, background: 0 } })).title).toBe(
      '0 of 1 call left this minute',
    );
  });
});
