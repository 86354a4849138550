import { expect, test } from 'vitest';
import { fullManifest, startSandbox, tokens } from '../harness.ts';

const manifest = { ...fullManifest, settings: { ...fullManifest.settings, token_rotation_enabled: true } };
const client = { client_id: 'sandbox-client-id', client_secret: 'sandbox-client-secret' };
const hourMs = 60 * 60_000;

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

async function exchange(sandbox: Sandbox, token: string = tokens.acme) {
  const { access_token = '', ...rest } = await sandbox.client('').oauth.v2.exchange({ ...client, token });
  return { token: access_token, refreshToken: rest.refresh_token ?? '', expiresIn: rest.expires_in };
}

async function refresh(sandbox: Sandbox, refreshToken: string) {
  const grant = { ...client, grant_type: 'refresh_token' as const, refresh_token: refreshToken };
  const { access_token = '', refresh_token = '' } = await sandbox.client('').oauth.v2.access(grant);
  return { token: access_token, refreshToken: refresh_token };
}

test('a long-lived token is exchanged once, for one that expires after 12 hours', async () => {
  const sandbox = await startSandbox({ manifest });
  const { token, expiresIn } = await exchange(sandbox);
  expect([token.slice(0, 10), expiresIn]).toEqual(['xoxe.xoxb-', 43_200]);
  await expect(sandbox.client(tokens.acme).auth.test()).rejects.toThrow('invalid_auth');
  await expect(exchange(sandbox)).rejects.toThrow('invalid_token');
  await sandbox.advance(12 * hourMs - 1);
  expect(await sandbox.client(token).auth.test()).toMatchObject({ team_id: 'T0ACME' });
  await sandbox.advance(1);
  await expect(sandbox.client(token).auth.test()).rejects.toThrow('token_expired');
});

test('a refresh token works once, and the earlier token until it expires', async () => {
  const sandbox = await startSandbox({ manifest });
  const first = await exchange(sandbox);
  await sandbox.advance(10 * hourMs);
  const second = await refresh(sandbox, first.refreshToken);
  await expect(refresh(sandbox, first.refreshToken)).rejects.toThrow('invalid_refresh_token');
  for (const { token } of [first, second]) expect(await sandbox.client(token).auth.test()).toBeTruthy();
  await sandbox.advance(2 * hourMs);
  await expect(sandbox.client(first.token).auth.test()).rejects.toThrow('token_expired');
  const third = await refresh(sandbox, second.refreshToken);
  expect(await sandbox.client(third.token).auth.test()).toMatchObject({ team_id: 'T0ACME' });
});

test('tokens rotate only if the manifest says so, and only for an installed app', async () => {
  const other = await startSandbox();
  await expect(exchange(other)).rejects.toThrow('token_rotation_not_enabled');
  const sandbox = await startSandbox({ manifest });
  const { refreshToken } = await exchange(sandbox);
  await sandbox.post('uninstall', { team: 'T0ACME' });
  await expect(refresh(sandbox, refreshToken)).rejects.toThrow('invalid_refresh_token');
});
