import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatIpName,
  formatIpReference,
  parseIpId,
  parseIpReference,
  toIpReference,
} from '../../../src/operations/choices/sources/ip-reference.ts';

const reference = fc.record(
  {
    kind: fc.constantFrom('ipv4' as const, 'ipv6' as const),
    id: fc.string({ minLength: 1, unit: 'grapheme' }),
    address: fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant('2001:db8::/64')),
    vpsName: fc.constantFrom('VPS-10001', 'VPS-a_b-c'),
  },
  { requiredKeys: ['kind', 'id'] },
);

describe('a reference to an IP resource', () => {
  test('is parsed as it was written, whatever the identifier', () => {
    fc.assert(
      fc.property(reference, (one) => {
        expect(parseIpReference(formatIpReference(one))).toEqual(one);
      }),
    );
  });

  test('shows the address to people, or the identifier if no address is known', () => {
    expect(formatIpName('198.18.0.10 ipv4:501 VPS-10001')).toBe('198.18.0.10');
    expect(formatIpName('ipv6:ip6-1a2b')).toBe('ipv6:ip6-1a2b');
  });

  test('does not exist for a resource that a call could not name', () => {
    expect(toIpReference({ kind: 'ipv4', address: '198.18.0.10', record: {} })).toBeUndefined();
    expect(toIpReference({ kind: 'ipv4', id: 'eth0', address: '198.18.0.10', record: {} })).toBeUndefined();
    expect(toIpReference({ kind: 'ipv6', id: 'a b', record: {} })).toEqual({ kind: 'ipv6', id: 'a b' });
  });
});

describe('typed text for an IP resource that no list contains', () => {
  test.each([
    ['501', { kind: 'ipv4', id: '501' }],
    ['ipv4:501', { kind: 'ipv4', id: '501' }],
    ['IPv6:ip6-1a2b', { kind: 'ipv6', id: 'ip6-1a2b' }],
    ['ip6-1a2b', { kind: 'ipv6', id: 'ip6-1a2b' }],
    ['ipv6:%zz', { kind: 'ipv6', id: '%zz' }],
    ['198.18.0.10', { kind: 'ipv4', id: '198.18.0.10' }],
  ])('%s is parsed as %j', (written, expected) => {
    expect(parseIpReference(written)).toEqual(expected);
  });

  test("an IPv4 address isn't an identifier: the error says how to give one, and no call is made", () => {
    expect(() => parseIpId('198.18.0.10')).toThrow(/Give its identifier/);
    expect(parseIpId('ipv4:501')).toBe('501');
    expect(parseIpId('2001:db8::1')).toBe('2001:db8::1');
  });
});
