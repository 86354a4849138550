import { expect, test } from 'vitest';
import { canAffect } from '../../../src/hosting/client/change-scope.ts';

test.each([
  ['/v1/vps/VPS-10001/action', '/v1/vps', true],
  ['/v1/vps/VPS-10001/action', '/v1/vps/VPS-10001', true],
  ['/v1/vps/VPS-10001/action', '/v1/vps/VPS-10001/monitoring/live', true],
  ['/v1/vps/VPS-10001/action', '/v1/vps/VPS-100010', false],
  ['/v1/vps/VPS-10001/action', '/v1/vps/VPS-10002/snapshots', false],
  ['/v1/vps/VPS-10001/action', '/v1/services/webgate', false],
  ['/v1/vps/VPS-10001/action', '/v1', false],
  ['/v1/vps/VPS-10001/vlan/vlan-1', '/v1/vps/VPS-10002/vlan', true],
  ['/v1/vps/VPS-10001/vlan/vlan-1', '/v1/vps/VPS-10002', false],
  ['/v1/services/ip-addresses/ipv4/501/attach', '/v1/vps/VPS-10002', true],
  ['/v1/services/webgate/domains', '/v1/services/webgate', true],
  ['/v1/services/webgate/domains', '/v1/me', false],
])('a change of %s affects a read of %s: %s', (changed, read, isAffected) => {
  expect(canAffect(changed, read)).toBe(isAffected);
});
