import { expect, test } from 'vitest';
import { alice, bob, useAuthOperations } from '../operations-fixture.ts';

const auth = useAuthOperations({ admins: [alice], groups: { S0ONCALL: [bob] } });
const { press, type, typeRefused } = auth;

const listGrants = async () =>
  (await auth.grants.listGrants('T1')).map(
    ({ grantee, right, pattern, isRevealRevoked }) =>
      `${grantee} ${right}${isRevealRevoked ? ' without reveal' : ''} ${pattern}`,
  );
const listTargets = async () =>
  (await auth.runner.database.db.selectFrom('run').select('target').orderBy('requested_at').execute()).map(
    ({ target }) => target,
  );
const toValue = (person: string) => ({ kind: 'person', person });

test('an admin sees the access of everyone, and other people their own', async () => {
  await type('access grant U0BOB operate web-01');
  await type('access channel C0OTHER view');
  expect(await type('access')).toMatchObject({
    title: 'Access in this workspace',
    facts: [{ value: 'admin' }, { label: 'At most view', value: { channel: 'C0OTHER' } }],
    table: { rows: [[toValue(bob), 'operate', 'web-01 (VPS-10001)', toValue(alice)]] },
  });
  const own = await type('access', bob);
  expect(own.title).toBe('Your access');
  expect(own.facts).toEqual([{ label: 'operate', value: 'web-01 (VPS-10001)' }]);
  await type('access channel C0OPS view');
  expect((await type('access', bob)).facts?.at(-1)).toEqual({
    label: 'In this channel',
    value: 'at most view',
  });
});

test('a granted right is stored with who granted it and when, and is in the activity log', async () => {
  expect(await type('access grant "U0BOB S0ONCALL" operate VPS-10001 VPS-2*')).toMatchObject({
    title: 'Granted: operate on web-01 (VPS-10001), VPS-2*',
    facts: [
      { label: 'To', value: toValue(bob) },
      { label: 'To', value: { kind: 'userGroup', userGroup: 'S0ONCALL' } },
    ],
    next: [
      { label: 'Revoke', input: { who: 'U0BOB S0ONCALL', vps: 'VPS-10001 VPS-2*' } },
      { operation: 'access' },
    ],
  });
  const grants = await auth.grants.listGrants('T1');
  expect(grants).toHaveLength(4);
  expect(grants[0]).toMatchObject({ grantedBy: alice, grantedMs: auth.runner.nowMs });
  expect((await type('access grant U0BOB view VPS-2*')).title).toBe(
    'They already have this right, or a higher one: view on VPS-2*',
  );
  expect((await type('access grant U0BOB view')).title).toBe('Granted: view on all VPS');
  expect(await listTargets()).toEqual([
    'operate on VPS-10001, VPS-2* for U0BOB S0ONCALL',
    'view on VPS-2* for U0BOB',
    'view on all VPS for U0BOB',
  ]);
});

test('all reasons why a right is not granted are named, and nothing is granted', async () => {
  expect(await typeRefused('access grant "U0BOB S0GONE everyone" admin')).toBe(
    "There's no user group S0GONE. The admin right can't be granted to everyone: name people or groups.",
  );
  expect(await typeRefused('access grant bob view')).toContain("Slack doesn't know bob");
  expect(await typeRefused('access grant U0BOB everything')).toContain('Choose view, reveal');
  expect(await typeRefused('access grant U0BOB')).toContain('Choose view, reveal');
  for (const command of ['grant U0BOB admin', 'revoke U0ALICE', 'channel C0OPS destroy'])
    expect(await typeRefused(`access ${command}`, bob)).toContain("You don't have permission to administer");
  expect(await listGrants()).toEqual([]);
});

test('rights are revoked on exactly what is named, or all of them', async () => {
  for (const vps of ['VPS-10001', 'VPS-2*', '*']) await type(`access grant U0BOB operate ${vps}`);
  await type('access grant S0ONCALL destroy VPS-2*');
  const nothing = await type('access revoke U0BOB VPS-3*');
  expect(nothing).toMatchObject({
    title: 'Nothing to revoke',
    notes: ['Give the VPS or pattern exactly as it was granted.'],
  });
  expect(await type('access revoke "U0BOB S0ONCALL" VPS-10001 VPS-2*')).toMatchObject({
    title: 'Revoked',
    facts: [
      { label: 'From', value: toValue(bob) },
      { label: 'operate', value: 'web-01 (VPS-10001)' },
      { label: 'operate', value: 'VPS-2*' },
      { label: 'From', value: { kind: 'userGroup', userGroup: 'S0ONCALL' } },
      { label: 'destroy', value: 'VPS-2*' },
    ],
    notes: [],
  });
  expect(await listGrants()).toEqual(['U0BOB operate *']);
  expect((await type('access revoke U0BOB')).facts).toContainEqual({ label: 'operate', value: 'all VPS' });
  expect(await listGrants()).toEqual([]);
  expect((await listTargets()).slice(-2)).toEqual([
    'rights on VPS-10001, VPS-2* of U0BOB S0ONCALL',
    'all rights of U0BOB',
  ]);
  // A group that Slack doesn't know anymore can lose its rights too.
  await auth.grants.grant(
    { teamId: 'T1', changedBy: null, nowMs: 1 },
    { grantees: ['S0GONE'], right: 'destroy', patterns: ['*'] },
  );
  expect((await type('access revoke S0GONE')).title).toBe('Revoked');
});

test('each grant in the list has a button that revokes it, and asks first', async () => {
  await type('access grant U0BOB operate VPS-10001 VPS-2*');
  await type('access grant everyone view');
  const { next = [] } = await type('access');
  expect(next.filter(({ operation }) => operation === 'access revoke').map(({ label }) => label)).toEqual([
    'Revoke @name of U0BOB: operate on web-01 (VPS-10001), VPS-2*',
    'Revoke every member: view on all VPS',
  ]);
  const revoke = next.find(({ label }) => label.startsWith('Revoke @'));
  const question = await press(revoke);
  expect(question).toMatchObject({
    title: 'Revoke this access?',
    isQuestion: true,
    facts: [
      { label: 'From', value: toValue(bob) },
      { label: 'operate', value: 'web-01 (VPS-10001)' },
      { label: 'operate', value: 'VPS-2*' },
    ],
  });
  expect(await listGrants()).toHaveLength(3);
  expect((await press(question.next?.[0])).title).toBe('Revoked');
  expect(await listGrants()).toEqual(['everyone view *']);
});

test('only the right to reveal is revoked if that is asked for', async () => {
  await type('access grant U0BOB operate VPS-10001');
  await type('access grant U0BOB destroy VPS-2*');
  expect((await type('access revoke U0BOB VPS-2* --reveal')).facts).toContainEqual({
    label: 'reveal',
    value: 'VPS-2*',
  });
  expect(await listGrants()).toEqual(['U0BOB operate VPS-10001', 'U0BOB destroy without reveal VPS-2*']);
  await type('access revoke U0BOB --reveal');
  expect(await listGrants()).toContain('U0BOB operate without reveal VPS-10001');
  expect((await listTargets()).slice(-2)).toEqual(['reveal on VPS-2* of U0BOB', 'reveal of U0BOB']);
});
