import { describe, expect, test } from 'vitest';
import { readSshMappings } from '../../../../src/hosting/profile/resources/network/ssh-mappings.ts';
import { readWebgate } from '../../../../src/hosting/profile/resources/network/webgate.ts';
import { readVpsList } from '../../../../src/hosting/profile/resources/vps/vps.ts';

describe('a label that is the name of another VPS', () => {
  const two = { id: 'VPS-10002', name: 'db', state: 'stopped' };

  test.each<[string, unknown]>([
    ['an ID', [{ id: 'VPS-10001', name: 'VPS-10002', state: 'running' }, two]],
    ['the documented field', [{ name: 'VPS-10002', vps_name: 'VPS-10001', state: 'running' }, two]],
    ['the key of a map', { 'VPS-10001': { name: 'VPS-10002', state: 'running' }, 'VPS-10002': two }],
    ['the ID of a part', [{ vps: { id: 'VPS-10001', name: 'VPS-10002' }, state: 'running' }, two]],
  ])('does not name the VPS beside %s', (_, data) => {
    const { vps, otherFields } = readVpsList(data);
    expect(vps.map(({ name, state }) => [name, state])).toEqual([
      ['VPS-10001', 'running'],
      ['VPS-10002', 'stopped'],
    ]);
    expect(vps[0]?.aliases).toEqual({ full: [], short: [] });
    expect(otherFields).toEqual({});
  });

  test('names the VPS if the ID has another form than the API document shows', () => {
    const { vps } = readVpsList([{ id: 'vps-9c8b7a6d51', name: 'VPS-10001' }]);
    expect(vps.map(({ name }) => name)).toEqual(['VPS-10001']);
  });

  test('does not make its VPS the owner of something', () => {
    const server = { id: 'VPS-10001', name: 'VPS-10002' };
    const { domains } = readWebgate({ domains: [{ domain_name: 'a.example', server }] });
    expect(domains[0]?.vpsName).toBe('VPS-10001');
    const named = { server_name: 'VPS-10002', server_id: 'VPS-10001', external_port: 40_001 };
    expect(readSshMappings([named]).mappings[0]?.vpsName).toBe('VPS-10001');
    const both = { vps: 'VPS-10002', vps_id: 'VPS-10001', external_port: 40_001 };
    expect(readSshMappings([both]).mappings[0]?.vpsName).toBe('VPS-10001');
  });
});

describe('a name that several servers have', () => {
  const one = { id: 11, name: 'VPS-10002', hostname: 'web-01', state: 'running', plan: 'm' };
  const other = { id: 12, name: 'VPS-10002', hostname: 'db-02', state: 'stopped', plan: 'm' };

  test('has only the facts that all of them have', () => {
    const { vps, otherFields } = readVpsList({ vps: [one, other] });
    expect(vps).toEqual([
      {
        name: 'VPS-10002',
        state: undefined,
        aliases: { full: [], short: [] },
        record: { name: 'VPS-10002', plan: 'm' },
        isContested: true,
      },
    ]);
    expect(otherFields.duplicates).toEqual({
      'VPS-10002': [
        { id: 11, hostname: 'web-01', state: 'running' },
        { id: 12, hostname: 'db-02', state: 'stopped' },
      ],
    });
  });

  test('is that of one server if only its other fields differ', () => {
    const { vps } = readVpsList({ vps: [one, { ...one, state: 'paused' }] });
    expect(vps).toMatchObject([{ name: 'VPS-10002', state: 'running' }]);
    expect(vps[0]?.isContested).toBeUndefined();
  });
});
