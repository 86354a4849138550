import { expect, test } from 'vitest';
import { z } from 'zod';
import { type HostingSandboxFixture, startHostingSandbox } from '../hosting-sandbox-fixture.ts';

const space = z.object({
  state: z.enum(['active', 'inactive']),
  quota_gb: z.number(),
  credentials: z
    .object({ host: z.string(), port: z.int(), user: z.string(), password: z.string() })
    .nullable(),
});
const active = '/v1/vps/VPS-10001/backup-ftp';
const inactive = '/v1/vps/VPS-10003/backup-ftp';

const enable = (sandbox: HostingSandboxFixture, path: string, enabled: boolean) =>
  sandbox.call('PATCH', path, { body: { enabled } });

test('an active space has a quota and credentials, an inactive one has none', async () => {
  const sandbox = await startHostingSandbox();
  expect(await sandbox.read(active, space)).toMatchObject({
    state: 'active',
    quota_gb: 100,
    credentials: { port: 21, user: 'vps-10001' },
  });
  expect(await sandbox.read(inactive, space)).toMatchObject({ state: 'inactive', credentials: null });
});

test('enabling creates credentials and disabling removes them', async () => {
  const sandbox = await startHostingSandbox();
  expect((await enable(sandbox, inactive, true)).status).toBe(200);
  expect(await sandbox.read(inactive, space)).toMatchObject({
    state: 'active',
    credentials: { user: 'vps-10003' },
  });
  expect((await enable(sandbox, inactive, false)).body).toMatchObject({ data: { state: 'inactive' } });
  expect((await sandbox.read(inactive, space)).credentials).toBeNull();
});

test('regenerating changes only the password', async () => {
  const sandbox = await startHostingSandbox();
  const before = await sandbox.read(active, space);
  expect((await sandbox.call('POST', `${active}/regenerate`)).status).toBe(200);
  const after = await sandbox.read(active, space);
  expect(after.credentials?.password).not.toBe(before.credentials?.password);
  expect({ ...after.credentials, password: '' }).toEqual({ ...before.credentials, password: '' });
});
