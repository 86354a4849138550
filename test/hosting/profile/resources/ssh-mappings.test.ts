import { describe, expect, test } from 'vitest';
import {
  readSshMappings,
  readSshPort,
} from '../../../../src/hosting/profile/resources/network/ssh-mappings.ts';

describe('a mapping that names its VPS only by another field', () => {
  const rule = { id: '7f5a', publicport: '22001', privateport: '22' };

  test('belongs to that VPS', () => {
    const { mappings } = readSshMappings({ mappings: [{ ...rule, virtualmachinename: 'VPS-10001' }] });
    expect(mappings.map(({ vpsName, externalPort }) => [vpsName, externalPort])).toEqual([
      ['VPS-10001', 22_001],
    ]);
  });

  test("isn't named by its own ID", () => {
    expect(readSshMappings({ mappings: [rule] })).toMatchObject({
      mappings: [],
      otherFields: { mappings: [rule] },
    });
  });
});

describe('an SSH mapping', () => {
  test.each<[string, unknown]>([
    [
      'a list in a field',
      {
        mappings: [
          { vps_name: 'VPS-10002', port_vps_ssh: 23 },
          { vps_name: 'VPS-10001', external_port: 22_001, port_vps_ssh: 22 },
        ],
      },
    ],
    ['a list', [{ vps_name: 'vps-10001', external_port: 22_001, ssh_port: 22 }]],
    [
      'a list with the proxy as one text',
      [{ vps_name: 'VPS-10001', proxy: 'p.example:22001', ssh_port: 22 }],
    ],
    ['a list that names the VPS otherwise', [{ id: 7, vps: 'VPS-10001', internal_port: '22' }]],
    ['a list with the VPS as a record', [{ id: 7, vps: { vps_name: 'VPS-10001' }, target_port: 22 }]],
    ['a map by name', { 'VPS-10001': { external_port: 22_001, port_vps_ssh: 22 } }],
    ['a map by number', { 1: { vps_name: 'VPS-10002' }, 2: { vps_name: 'VPS-10001', vps_ssh_port: 22 } }],
  ])('is found in %s', (_, data) => {
    expect(readSshPort(data, 'VPS-10001')).toBe(22);
  });

  test.each<[unknown]>([
    [[]],
    [[{ vps_name: 'VPS-10002', port_vps_ssh: 22 }]],
    [[{ vps_name: 'VPS-10001', external_port: 22_001 }]],
    [[{ vps_name: 'VPS-10001', port_vps_ssh: null }]],
    [[{ vps_name: 'VPS-10001', port_vps_ssh: '' }]],
    [[{ vps_name: 'VPS-10001', port_vps_ssh: true }]],
    [[{ vps_name: 'VPS-10001', port_vps_ssh: 0 }]],
    [[{ vps_name: 'VPS-10001', port_vps_ssh: 65_536 }]],
    [[{ vps_name: 'VPS-10001', port_vps_ssh: 22.5 }]],
    [[{ vps_name: 'VPS-10001', port_vps_ssh: [22] }]],
    [[{ vps_name: 'VPS-10001', port: 22 }]],
    [[{ vps_name: 'VPS-10001', ssh_port: 40_001 }]],
    [[{ vps_name: 'VPS-10001', proxy: 'p.example:40001', port: 2222 }]],
    [{ 'VPS-10001': 40_001 }],
    [{ mappings: { 'VPS-10002': 23, 'VPS-10001': 22 } }],
  ])('is missing without a port of that VPS: %j', (data) => {
    expect(readSshPort(data, 'VPS-10001')).toBeUndefined();
  });
});

test('the SSH mappings of all VPS are listed', () => {
  const data = {
    mappings: [
      { vps_name: 'VPS-10001', host: 'ssh.example.net', external_port: 22_001, port_vps_ssh: 22 },
      { vps: 'vps-10002', proxy_host: 'ssh.example.net', port: '22002' },
    ],
    region: 'fra',
  };
  expect(readSshMappings(data)).toMatchObject({
    mappings: [
      { vpsName: 'VPS-10001', host: 'ssh.example.net', externalPort: 22_001, port: 22 },
      { vpsName: 'VPS-10002', host: 'ssh.example.net', externalPort: 22_002 },
    ],
    otherFields: { region: 'fra' },
  });
});

describe('how to connect', () => {
  const vps_name = 'VPS-10001';

  test.each<[unknown, string | undefined, number | undefined, Record<string, unknown>]>([
    [{ vps_name, proxy: 'p.example:40001', port: 2222 }, 'p.example', 40_001, { vps_name, port: 2222 }],
    [{ vps_name, endpoint: 'ssh://root@p.example:40001' }, 'p.example', 40_001, { vps_name }],
    [{ vps_name, proxy: '[2001:db8::1]:40001' }, '[2001:db8::1]', 40_001, { vps_name }],
    [{ vps_name, proxy_ip: '2001:db8::1', port: 40_001 }, '2001:db8::1', 40_001, { vps_name }],
    [{ vps_name, host: 'p.example', port: 40_001 }, 'p.example', 40_001, { vps_name }],
    [{ vps_name, host: 'p.example', port: 22 }, 'p.example', undefined, { vps_name, port: 22 }],
    [{ vps_name, port: 40_001 }, undefined, undefined, { vps_name, port: 40_001 }],
    [{ vps_name, ssh_port: 40_001 }, undefined, undefined, { vps_name, ssh_port: 40_001 }],
  ])('is said of %j only as far as it is certain', (record, host, externalPort, otherFields) => {
    const [mapping] = readSshMappings([record]).mappings;
    expect([mapping?.host, mapping?.externalPort]).toEqual([host, externalPort]);
    expect(mapping?.otherFields).toEqual(otherFields);
  });

  test.each<[unknown, (number | undefined)[], Record<string, unknown>]>([
    [{ 'VPS-10001': 40_001, 'VPS-10002': 40_002 }, [undefined, undefined], { port: 40_001 }],
    [{ 'VPS-10001': 'p.example:40001', 'VPS-10002': 'p.example:40002' }, [40_001, 40_002], {}],
  ])('is said of a map only as far as it is certain: %j', (data, ports, otherFields) => {
    const { mappings } = readSshMappings(data);
    expect(mappings.map(({ externalPort }) => externalPort)).toEqual(ports);
    expect(mappings[0]?.otherFields).toEqual(otherFields);
  });

  test('does not use the hostnames of the VPS, nor a port that several share', () => {
    const { mappings } = readSshMappings([
      { vps_name, hostname: 'web-01.acme.example', external_port: 40_001 },
      { vps_name: 'VPS-10002', hostname: 'web-02.acme.example', external_port: 40_002 },
    ]);
    expect(mappings.map(({ host }) => host)).toEqual([undefined, undefined]);
    expect(mappings[0]?.otherFields).toEqual({ vps_name, hostname: 'web-01.acme.example' });
    const shared = readSshMappings([
      { vps_name, host: 'p.example', port: 2222 },
      { vps_name: 'VPS-10002', host: 'p.example', port: 2222 },
    ]);
    expect(shared.mappings.map(({ externalPort }) => externalPort)).toEqual([undefined, undefined]);
  });
});
