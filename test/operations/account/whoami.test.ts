import { expect, test } from 'vitest';
import type { GetEndpoint } from '../../../src/hosting/endpoints/endpoint.ts';
import { getMe, getStatus } from '../../../src/hosting/endpoints/system.ts';
import { runRead, serializePublicPart } from '../operation-harness.ts';

const status = {
  version: 'v1',
  service: 'S',
  timestamp: '2030-01-01T00:00:00+00:00',
  permissions: ['vps.read', 'ip.read'],
};
const whoami = (me: unknown, held: unknown = status) =>
  runRead(
    'whoami',
    {},
    new Map<GetEndpoint, unknown>([
      [getMe, me],
      [getStatus, held],
    ]),
  );

test('the owner of the key is shown with the permissions of the key', async () => {
  expect((await whoami({ user: { email: 'ops@acme.example' } })).facts).toEqual([
    { label: 'User email', value: 'ops@acme.example' },
    { label: 'Permissions of the key', value: 'vps.read, ip.read' },
  ]);
});

test('permissions that come with the user are not read again', async () => {
  const unneeded = new Error('this was read without need');
  const { facts } = await whoami({ permissions: ['vps.read'] }, unneeded);
  expect(facts).toEqual([{ label: 'Permissions', value: 'vps.read' }]);
});

test('a user without fields is reported as such', async () => {
  expect((await whoami(null)).notes).toEqual(["The service doesn't show the user behind it."]);
});

test('the key itself is never shown', async () => {
  const outcome = await whoami({ name: 'Acme', api_key: 'k-12345678' });
  expect(serializePublicPart(outcome)).not.toContain('k-12345678');
});
