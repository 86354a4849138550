import { describe, expect, test } from 'vitest';
import { concerns, createSight } from '../../../src/workspaces/record/sight.ts';
import { catalogue, reachOf, recorded } from './recorded.ts';

const bob = { teamId: 'T0ACME', userId: 'U0BOB' };

const runs = {
  own: recorded({ userId: 'U0BOB', operation: 'connect', input: {}, target: null }),
  first: recorded(),
  second: recorded({ input: { vps: 'VPS-10002' }, target: 'VPS-10002' }),
  list: recorded({ operation: 'list', input: {}, target: null }),
  balancer: recorded({
    operation: 'lb create',
    input: { domain_name: 'a.example.com', backends: ['VPS-10001:80', 'VPS-10002:80'] },
    target: 'a.example.com',
  }),
  key: recorded({ operation: 'connect', input: {}, target: 'API key' }),
  install: recorded({ operation: 'install', input: {}, target: null }),
};

function seen(reach: ReturnType<typeof reachOf>): string[] {
  const sight = createSight(bob, reach, catalogue);
  return Object.entries(runs).flatMap(([name, run]) => (sight(run) ? [name] : []));
}

describe('what somebody may look at in the record', () => {
  test('without a right: their own runs', () => {
    expect(seen(reachOf(undefined))).toEqual(['own']);
  });

  test('with a right on one VPS: its runs besides, where it is the only one named', () => {
    expect(seen(reachOf('look', ['VPS-10001']))).toEqual(['own', 'first']);
  });

  test('with a right on two: also what names both', () => {
    expect(seen(reachOf('destroy', ['VPS-10001', 'VPS-10002']))).toEqual([
      'own',
      'first',
      'second',
      'balancer',
    ]);
  });

  test('with a right on all: everything but what takes administering', () => {
    expect(seen(reachOf('look'))).toEqual(['own', 'first', 'second', 'list', 'balancer']);
  });

  test('administering some VPS shows no more than looking at them', () => {
    expect(seen(reachOf('administer', ['VPS-10001']))).toEqual(['own', 'first']);
  });

  test('whoever administers: everything', () => {
    expect(seen(reachOf('administer'))).toEqual(Object.keys(runs));
  });
});

test('a run is about the VPS that is its target, and those that it names', () => {
  const about = (vps: string) =>
    Object.entries(runs).flatMap(([name, run]) => (concerns(vps, catalogue)(run) ? [name] : []));
  expect(about('VPS-10001')).toEqual(['first', 'balancer']);
  expect(about('VPS-10002')).toEqual(['second', 'balancer']);
  expect(about('VPS-1000')).toEqual([]);
});
