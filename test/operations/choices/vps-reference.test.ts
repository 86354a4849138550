import { expect, test } from 'vitest';
import { joinVpsNames, toVpsReference } from '../../../src/operations/choices/matching/vps-reference.ts';

test.each([
  ['vps 10001', 'VPS-10001'],
  ['vps-10001', 'VPS-10001'],
  ['db-02.acme.example.', 'db-02.acme.example'],
  ['https://db-02.acme.example/login?next=/', 'db-02.acme.example'],
  ['ssh://root@db-02:2222', 'db-02'],
  ['http://[2001:db8::6]:8006', '2001:db8::6'],
  ['web-01', 'web-01'],
  ['Orders (main)', 'Orders (main)'],
])('%s means the VPS %s', (typed, name) => {
  expect(toVpsReference(typed)).toBe(name);
});

test('a VPS name that is typed as two words is one word', () => {
  expect(joinVpsNames(['VPS', '10001', 'web-01', 'vps'])).toEqual(['VPS_10001', 'web-01', 'vps']);
});
