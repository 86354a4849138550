import { expect, test } from 'vitest';
import { alice, bob, useAuthOperations } from '../operations-fixture.ts';

const auth = useAuthOperations();
const { type, typeRefused } = auth;

test('a request says what is asked for, why, and what the asker has now', async () => {
  await type(`access grant ${bob} view`);
  expect((await type('access ask operate VPS-100* --for 8h --reason "on call this week"', bob)).title).toBe(
    'Asked one admin for operate on VPS-100* for 8h',
  );
  expect(auth.asked).toMatchObject([
    {
      actor: { userId: bob },
      title: 'operate on VPS-100* for 8h',
      required: { right: 'admin', vps: [] },
      details: {
        facts: [
          { label: 'Why', value: 'on call this week' },
          { label: 'Current access', value: 'view on all VPS' },
        ],
        canBeNarrowed: true,
      },
    },
  ]);
});

test.each([
  ['a part of the VPS', { vps: 'VPS-1000*' }, { pattern: 'VPS-1000*' }],
  ['a time', { for: '8h' }, { pattern: 'VPS-100*', expiresMs: expect.any(Number) }],
])('Approve Less with %s alone approves that', async (_, less, granted) => {
  await type('access ask operate VPS-100*', bob);
  const input = { request: auth.lastToken(), part: 'yes', ...less };
  await auth.press({ label: 'Approve', operation: 'request approve', input });
  expect(await auth.grants.listGrants('T1')).toMatchObject([{ grantee: bob, ...granted }]);
});

test('a person has at most 5 open requests', async () => {
  for (let vps = 10_001; vps <= 10_005; vps += 1) await type(`access ask operate VPS-${vps}`, bob);
  expect(await typeRefused('access ask operate VPS-10006', bob)).toContain('You have 5 open requests');
  expect(auth.asked).toHaveLength(5);
});

test('the right admin is requested for everything, and a right that one has is not', async () => {
  expect(await typeRefused('access ask admin VPS-10001', bob)).toContain('leave the VPS out');
  expect((await type('access ask operate', alice)).title).toBe('You already have operate on all VPS');
  expect(auth.asked).toEqual([]);
});
