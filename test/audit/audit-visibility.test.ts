import { describe, expect, test } from 'vitest';
import { loadFullCatalogue } from '../../scripts/load-full-catalogue.ts';
import { createAuditVisibility, createVpsFilter, toVpsQuery } from '../../src/audit/audit-visibility.ts';
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

function listVisible(checkAccess: ReturnType<typeof createCheckAccess>): string[] {
  const isVisible = createAuditVisibility(bob, checkAccess, catalogue);
  return Object.entries(runs).flatMap(([name, run]) => (isVisible(run) ? [name] : []));
}

describe('a member sees in the activity log', () => {
  test('their own runs without any right', () => {
    expect(listVisible(createCheckAccess(undefined))).toEqual(['own']);
  });

  test('runs that name only a VPS that they can view', () => {
    expect(listVisible(createCheckAccess('view', ['VPS-10001']))).toEqual(['own', 'first']);
  });

  test('runs that name several VPS if they can view all of them', () => {
    expect(listVisible(createCheckAccess('destroy', ['VPS-10001', 'VPS-10002']))).toEqual([
      'own',
      'first',
      'second',
      'balancer',
    ]);
  });

  test('everything but admin runs if they can view all VPS', () => {
    expect(listVisible(createCheckAccess('view'))).toEqual(['own', 'first', 'second', 'list', 'balancer']);
  });

  test('no admin runs with the right admin on some VPS only', () => {
    expect(listVisible(createCheckAccess('admin', ['VPS-10001']))).toEqual(['own', 'first']);
  });

  test('everything with the right admin', () => {
    expect(listVisible(createCheckAccess('admin'))).toEqual(Object.keys(runs));
  });
});

test('the query by VPS finds operations with another target by their name', async () => {
  const { operations, withOtherTarget } = toVpsQuery('VPS-10001', await loadFullCatalogue());
  expect(operations).toEqual(expect.arrayContaining(['show', 'reboot', 'lb create', 'vlan create']));
  expect(withOtherTarget).toEqual([
    'reinstall',
    'vlan create',
    'vlan delete',
    'ip attach',
    'domain add',
    'lb create',
    'report run',
    'report add',
    'report edit',
  ]);
});

test('a run is about its target VPS and the VPS in its input', () => {
  const about = (vps: string) =>
    Object.entries(runs).flatMap(([name, run]) => (createVpsFilter(vps, catalogue)(run) ? [name] : []));
  expect(about('VPS-10001')).toEqual(['first', 'balancer', 'damaged']);
  expect(about('VPS-10002')).toEqual(['second', 'balancer']);
  expect(about('VPS-1000')).toEqual([]);
});
