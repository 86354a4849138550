import { expect, test } from 'vitest';
import { createAuditVisibility, createVpsFilter } from '../../src/audit/audit-visibility.ts';
import { catalogue, createAuditEntry, createCheckAccess } from './audit-fixture.ts';

const bob = { teamId: 'T0ACME', userId: 'U0BOB' };

const runs = {
  own: createAuditEntry({ userId: 'U0BOB', operation: 'connect', input: {}, target: null }),
  first: createAuditEntry(),
  second: createAuditEntry({ input: { vps: 'VPS-10002' }, target: 'VPS-10002' }),
  list: createAuditEntry({ operation: 'list', input: {}, target: null }),
  balancer: createAuditEntry({
    operation: 'lb create',
    input: { domain_name: 'a.example.com', backends: ['VPS-10001:80', 'VPS-10002:80'] },
    target: 'a.example.com',
  }),
  key: createAuditEntry({ operation: 'connect', input: {}, target: 'API key' }),
  install: createAuditEntry({ operation: 'install', input: {}, target: null }),
  damaged: createAuditEntry({ input: {}, isUnreadable: true }),
};

const everything = Object.keys(runs);

test.each<[string, Parameters<typeof createCheckAccess>, readonly string[]]>([
  ['no right: their own runs', [undefined], ['own']],
  ['view on some VPS: runs that name no other', ['view', ['VPS-10001']], ['own', 'first']],
  [
    'destroy on several VPS: runs that name no other',
    ['destroy', ['VPS-10001', 'VPS-10002']],
    ['own', 'first', 'second', 'balancer'],
  ],
  ['view on all VPS: all but admin runs', ['view'], ['own', 'first', 'second', 'list', 'balancer']],
  ['admin on some VPS only: no admin runs', ['admin', ['VPS-10001']], ['own', 'first']],
  ['admin: everything', ['admin'], everything],
])('a member sees in the activity log with %s', (_, access, visible) => {
  const isVisible = createAuditVisibility(bob, createCheckAccess(...access), catalogue);
  expect(Object.entries(runs).flatMap(([name, run]) => (isVisible(run) ? [name] : []))).toEqual(visible);
});

test('a run is about its target VPS and the VPS in its input', () => {
  const about = (vps: string) =>
    Object.entries(runs).flatMap(([name, run]) => (createVpsFilter(vps, catalogue)(run) ? [name] : []));
  expect(about('VPS-10001')).toEqual(['first', 'balancer', 'damaged']);
  expect(about('VPS-10002')).toEqual(['second', 'balancer']);
  expect(about('VPS-1000')).toEqual([]);
});
