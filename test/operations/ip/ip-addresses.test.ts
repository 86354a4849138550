import { describe, expect, test } from 'vitest';
import type { GetEndpoint } from '../../../src/hosting/endpoints/endpoint.ts';
import { listIpv4Addresses, listIpv6Addresses } from '../../../src/hosting/endpoints/ip-addresses.ts';
import { findChoice } from '../../../src/operations/choices/matching/find-choice.ts';
import { attachedIpChoices, freeIpChoices } from '../../../src/operations/choices/sources/ip-addresses.ts';
import { resolveEndpoint } from '../../../src/operations/define/inspect-operation.ts';
import { createContext, createStubRead, findChange, runRead } from '../operation-harness.ts';

const ipv4 = {
  ipv4: [
    { id: 501, address: '198.18.0.10', prefix_length: 32, vps_name: 'VPS-10001' },
    { id: 502, address: '198.18.0.11', prefix_length: 32, vps_name: null },
  ],
};
const ipv6 = {
  ipv6: [
    { id: 'ip6-aa', address: '2001:db8:10::/64', vps_name: 'VPS-10001' },
    { id: '502', address: '2001:db8:11::1', vps_name: null },
  ],
};

/** The service's responses to the two lists. */
const lists = (four: unknown, six: unknown) =>
  new Map<GetEndpoint, unknown>([
    [listIpv4Addresses, four],
    [listIpv6Addresses, six],
  ]);

const both = lists(ipv4, ipv6);

describe('a name of an IP resource', () => {
  test.each(['198.18.0.10', '501', 'ipv4:501', '198.18.0.10 ipv4:501 VPS-10001'])(
    '%s means the attached one, with the VPS that it is on',
    async (name) => {
      const found = await findChoice(attachedIpChoices, name, {}, createStubRead(both));
      expect(found).toMatchObject({
        kind: 'known',
        choice: { value: '198.18.0.10 ipv4:501 VPS-10001', hint: 'on VPS-10001' },
      });
    },
  );

  test.each(['2001:db8:10::/64', '2001:db8:10::', 'ip6-aa', 'ipv6:IP6-AA'])(
    '%s means the range',
    async (name) => {
      const found = await findChoice(attachedIpChoices, name, {}, createStubRead(both));
      expect(found).toMatchObject({ kind: 'known', choice: { text: '2001:db8:10::/64' } });
    },
  );

  test('an attached address is not free, and a free one not attached', async () => {
    expect(await findChoice(freeIpChoices, '501', {}, createStubRead(both))).toEqual({ kind: 'unknown' });
    expect(await findChoice(attachedIpChoices, '198.18.0.11', {}, createStubRead(both))).toEqual({
      kind: 'unknown',
    });
  });
});

describe('ip list', () => {
  test('shows both kinds, free ones first', async () => {
    const { title, facts, table, choiceSteps } = await runRead('ip list', {}, both);
    expect(title).toBe('4 IP addresses');
    expect(facts).toContainEqual({ label: 'Free', value: '1 IPv4, 1 IPv6' });
    expect(table?.rows.map(([, attached]) => attached)).toEqual(['free', 'free', 'VPS-10001', 'VPS-10001']);
    expect(choiceSteps?.map(({ operation }) => operation)).toEqual(['ip attach', 'ip detach']);
  });

  test('never says that an address is free if it could be attached', async () => {
    const addresses = [
      { id: 1, address: '198.18.0.1', attached: true },
      { id: 2, address: '198.18.0.2', status: 'assigned' },
      { id: 3, address: '198.18.0.3', status: 'active' },
    ];
    const answers = lists({ ipv4: addresses }, []);
    const { facts, table } = await runRead('ip list', {}, answers);
    expect(facts).toEqual([]);
    expect(table?.rows.map(([, attached]) => attached)).toEqual([
      'attached, VPS not shown',
      'attached, VPS not shown',
      'not shown',
    ]);
    const offered = await freeIpChoices.load(createStubRead(answers), {}, 0);
    expect(offered.choices.map(({ text, hint }) => [text, hint])).toEqual([['198.18.0.3', 'ipv4:3']]);
  });
});

describe('ip detach', () => {
  const detach = findChange('ip detach');
  const input = { ip: '198.18.0.10 ipv4:501 VPS-10001' };

  test('sends the VPS if it is known, by the route of its kind', () => {
    expect(detach.request(input)).toEqual({ params: { id: '501' } });
    expect(detach.request({ ip: 'ipv6:ip6-aa' })).toEqual({ params: { id: 'ip6-aa' } });
    expect(resolveEndpoint(detach, input).path).toContain('/ipv4/');
    expect(resolveEndpoint(detach, { ip: 'ipv6:ip6-aa' }).path).toContain('/ipv6/');
  });

  test('shows the VPS of the address, and is bound to it', async () => {
    const read = (vps_name: string | null) =>
      createStubRead(lists({ ipv4: [{ ...ipv4.ipv4[0], vps_name }] }, ipv6));
    const before = await detach.readTargetState?.(createContext(read('VPS-10001')), input);
    const after = await detach.readTargetState?.(createContext(read(null)), input);
    expect(before?.facts).toContainEqual({ label: 'Attached to', value: 'VPS-10001' });
    expect(after?.facts).toContainEqual({ label: 'Attached to', value: 'no VPS' });
    expect(after?.fingerprint).not.toBe(before?.fingerprint);
  });
});
