import { expect, test } from 'vitest';
import { getStatus } from '../../../../src/hosting/endpoints/system.ts';
import { startHostingSandbox } from '../hosting-sandbox-fixture.ts';

test('the status has every documented field and the time of the clock', async () => {
  const sandbox = await startHostingSandbox();
  const status = await sandbox.read('/v1', getStatus.data);
  expect(status).toMatchObject({ version: 'v1', timestamp: '2026-03-11T13:00:00.000+00:00' });
  expect(status.permissions).toHaveLength(9);
});

test('a key sees its own permissions', async () => {
  const sandbox = await startHostingSandbox();
  const { body } = await sandbox.call('GET', '/v1', { key: 'sandbox-key-read' });
  expect(body).toMatchObject({
    data: { permissions: ['vps.read', 'vps.monitoring', 'ip.read', 'webgate.read', 'proxy_ssh.read'] },
  });
});

test('the user information names the account and the quota of the key', async () => {
  const sandbox = await startHostingSandbox({ quota: 50 });
  expect((await sandbox.call('GET', '/v1/me')).body).toMatchObject({
    success: true,
    data: { user: { name: 'Acme GmbH' }, access: { quota_per_minute: 50 } },
  });
});
