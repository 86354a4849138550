import { describe, expect, test } from 'vitest';
import { readVps, readVpsList } from '../../../../src/hosting/profile/resources/vps/vps.ts';
import { findVpsAliases } from '../../../../src/hosting/profile/resources/vps/vps-names.ts';

describe('the names in a VPS record', () => {
  test('are all fields that name it, and the first label of a hostname', () => {
    expect(
      findVpsAliases({
        vps_name: 'VPS-10001',
        Hostname: 'web-01.acme.example',
        label: 'Main shop',
        displayName: 'shop',
        os: 'debian-13',
      }),
    ).toEqual({ full: ['web-01.acme.example', 'Main shop', 'shop'], short: ['web-01'] });
  });

  test('are found in a wrapper of the VPS, but not in the records of other things', () => {
    const record = {
      vps_name: 'VPS-1',
      attributes: { hostname: 'web-01' },
      node: { hostname: 'hypervisor-7' },
      os: { name: 'debian-13', label: 'Debian 13' },
      plan: { label: 'm' },
    };
    expect(findVpsAliases(record)).toEqual({ full: ['web-01'], short: [] });
  });

  test.each(['VPS-10002', 'vps-10002', 'Vps-x'])('do not include %s, which looks like a VPS name', (name) => {
    expect(findVpsAliases({ vps_name: 'VPS-10001', label: name, hostname: `${name}.acme.example` })).toEqual({
      full: [`${name}.acme.example`],
      short: [],
    });
  });

  test('do not include the name of the machine on which the VPS runs', () => {
    const vps = { vps_name: 'VPS-1', displayname: 'web-01', hostid: 'b9c1', hostname: 'kvm-07.dc1.example' };
    expect(findVpsAliases(vps)).toEqual({ full: ['web-01'], short: [] });
  });

  test('have no short form if they are an address or a sentence', () => {
    expect(findVpsAliases({ hostname: '203.0.113.5', label: 'Old mail server. Do not touch' }).short).toEqual(
      [],
    );
  });

  test("do not include text that can't be a single line", () => {
    expect(
      findVpsAliases({ hostname: 'a\nb', label: 7, name: '  ', title: null, nickname: 'x'.repeat(300) }),
    ).toEqual({ full: [], short: [] });
  });

  test('include the key of a map and a plain name beside the VPS name', () => {
    const { vps } = readVpsList({
      servers: { 'web-01': { vps_name: 'VPS-1' }, db: { id: 'VPS-2', name: 'x' } },
    });
    expect(vps.map(({ name, aliases }) => [name, aliases.full])).toEqual([
      ['VPS-1', ['web-01']],
      ['VPS-2', ['x', 'db']],
    ]);
  });

  test.each([{ vps: { vps_name: 'VPS-1' } }, { servers: { server: { vps_name: 'VPS-1' } } }])(
    'do not include the name of the field around a single VPS: %j',
    (data) => {
      expect(readVpsList(data).vps).toMatchObject([{ name: 'VPS-1', aliases: { full: [], short: [] } }]);
    },
  );

  test('are read from the record of a single VPS too', () => {
    const { aliases } = readVps({ vps: { vps_name: 'VPS-1', fqdn: 'db-02.acme.example' } }, 'VPS-1');
    expect(aliases).toEqual({ full: ['db-02.acme.example'], short: ['db-02'] });
  });
});
