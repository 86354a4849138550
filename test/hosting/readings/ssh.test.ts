import { describe, expect, test } from 'vitest';
import { readSshMappings, readSshPort } from '../../../src/hosting/readings/ssh.ts';

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
    ['a list that names the VPS otherwise', [{ id: 7, vps: 'VPS-10001', internal_port: '22' }]],
    ['a list with the VPS as a record', [{ id: 7, vps: { vps_name: 'VPS-10001' }, target_port: 22 }]],
    ['a map by name', { 'VPS-10001': { external_port: 22_001, port_vps_ssh: 22 } }],
    ['a map from name to port', { mappings: { 'VPS-10002': 23, 'VPS-10001': 22 } }],
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
  ])('is missing where there is no port of that VPS: %j', (data) => {
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
    rest: { region: 'fra' },
  });
});
