import { expect, test } from 'vitest';
import { readIpResources } from '../../../src/hosting/payloads/ip-addresses.ts';
import { readSnapshots } from '../../../src/hosting/payloads/snapshots.ts';
import { readVpsList } from '../../../src/hosting/payloads/vps.ts';
import { readWebgate } from '../../../src/hosting/payloads/webgate.ts';

test('an address in a list of its VPS is attached to it', () => {
  const { resources } = readIpResources({ 'VPS-10001': [{ id: 17, address: '192.0.2.4' }] });
  expect(resources).toMatchObject([{ address: '192.0.2.4', vpsName: 'VPS-10001', isAttached: true }]);
});

test('the word success is the state of a snapshot, unless it has another one', () => {
  const { snapshots } = readSnapshots({
    snapshots: [
      { name: 'a', status: 'success' },
      { name: 'b', status: 'success', state: 'creating' },
    ],
  });
  expect(snapshots.map(({ state }) => state)).toEqual(['success', 'creating']);
});

test('a port is the target, unless it repeats the external one', () => {
  const { ports } = readWebgate({
    ports: [
      { external_port: 30_001, port: 22, vps_name: 'VPS-10001' },
      { external_port: 30_002, port: 30_002, vps_name: 'VPS-10001' },
    ],
  });
  expect(ports.map(({ targetPort }) => targetPort)).toEqual([22, undefined]);
});

test('a VPS that is listed twice has the only state that is named', () => {
  const [name, state] = ['VPS-10001', 'running'];
  const { vps } = readVpsList({ vps: [{ vps_name: name }, { vps_name: name, status: state }] });
  expect(vps).toMatchObject([{ name, state }]);
});
