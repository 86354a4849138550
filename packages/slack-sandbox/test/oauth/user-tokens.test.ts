import { expect, test } from 'vitest';
import { fullManifest, startSandbox } from '../harness.ts';

const redirectUrl = 'https://app.example/callback';
const userScopes = [
  'channels:history',
  'channels:read',
  'channels:write',
  'chat:write',
  'im:write',
  'users:read',
];
const manifest = {
  ...fullManifest,
  oauth_config: {
    redirect_urls: [redirectUrl],
    scopes: { ...fullManifest.oauth_config.scopes, user: userScopes },
  },
  settings: {
    ...fullManifest.settings,
    event_subscriptions: { bot_events: ['tokens_revoked'], user_events: ['message.channels'] },
  },
};
const client = { client_id: 'sandbox-client-id', client_secret: 'sandbox-client-secret' };
const ownerToken = 'xoxp-sandbox-acme';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

async function allow(sandbox: Sandbox, installer: string, scopes: Record<string, string>) {
  const query = new URLSearchParams({ client_id: client.client_id, ...scopes });
  const response = await fetch(`${sandbox.url}/oauth/v2/authorize?${query}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ installer, decision: 'allow' }),
  });
  const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
  return sandbox.client('').oauth.v2.access({ ...client, code });
}

test('the first owner has allowed the user scopes, and calls with their token act in their name', async () => {
  const sandbox = await startSandbox({ manifest });
  expect(await sandbox.get('settings')).toMatchObject({ env: { SLACK_USER_TOKEN: ownerToken } });
  const owner = sandbox.client(ownerToken);
  const identity = await owner.auth.test();
  expect(identity).toMatchObject({ user: 'alice', user_id: 'U0ALICE' });
  expect(identity).not.toHaveProperty('bot_id');
  // The app is not in #quiet, but Alice is.
  const posted = await owner.chat.postMessage({ channel: 'C0QUIET', text: 'from me' });
  expect(posted.message).toMatchObject({ user: 'U0ALICE', app_id: 'A0SANDBOX' });
  await expect(sandbox.client().conversations.history({ channel: 'C0QUIET' })).rejects.toThrow(
    'not_in_channel',
  );
  expect((await owner.conversations.history({ channel: 'C0QUIET' })).messages).toHaveLength(1);
  const own = { channel: 'C0QUIET', ts: posted.ts ?? '', text: 'edited' };
  await expect(sandbox.client().chat.update(own)).rejects.toThrow('cant_update_message');
  expect((await owner.chat.update(own)).text).toBe('edited');
  const direct = await owner.conversations.open({ users: 'U0BOB' });
  await expect(sandbox.client().conversations.info({ channel: direct.channel?.id ?? '' })).rejects.toThrow(
    'channel_not_found',
  );
});

test('a user token has the scopes that the person allowed, and not those of the bot', async () => {
  const sandbox = await startSandbox({ manifest });
  const installed = await allow(sandbox, 'T0ACME/U0BOB', {
    scope: 'chat:write',
    user_scope: 'channels:write',
  });
  expect(installed).toMatchObject({
    access_token: 'xoxb-sandbox-acme',
    authed_user: { id: 'U0BOB', scope: 'channels:write', token_type: 'user' },
  });
  const bob = sandbox.client(installed.authed_user?.access_token);
  expect((await bob.conversations.create({ name: 'bobs' })).channel).toMatchObject({ creator: 'U0BOB' });
  await expect(bob.users.list({})).rejects.toMatchObject({
    data: { error: 'missing_scope', needed: 'users:read', provided: 'channels:write' },
  });
  const personal = await allow(sandbox, 'T0ACME/U0CAROL', { user_scope: 'users:read' });
  expect(personal).not.toHaveProperty('access_token');
  expect(personal.authed_user?.access_token).toMatch(/^xoxp-/);
  const refused = await fetch(
    `${sandbox.url}/oauth/v2/authorize?client_id=sandbox-client-id&user_scope=admin`,
  );
  expect(await refused.text()).toContain('Invalid permissions requested: admin');
});

test('an app hears of channels in which it is not, in the name of a person who is there', async () => {
  const sandbox = await startSandbox({ manifest });
  await sandbox.post('message', { user: 'U0BOB', channel: 'C0QUIET', text: 'psst' });
  const sent = (await sandbox.traffic()).filter(({ kind, retry }) => kind === 'events_api' && !retry);
  expect(sent).toMatchObject([
    {
      payload: {
        event: { type: 'message', text: 'psst' },
        authorizations: [{ user_id: 'U0ALICE', is_bot: false }],
      },
    },
  ]);
  await sandbox.client(ownerToken).auth.revoke();
  await expect(sandbox.client(ownerToken).auth.test()).rejects.toThrow('token_revoked');
  expect((await sandbox.client().auth.test()).ok).toBe(true);
  await sandbox.post('message', { user: 'U0BOB', channel: 'C0QUIET', text: 'anyone?' });
  const later = (await sandbox.traffic())
    .filter(({ kind, retry }) => kind === 'events_api' && !retry)
    .slice(1);
  expect(later).toMatchObject([
    { payload: { event: { type: 'tokens_revoked', tokens: { oauth: [expect.any(String)], bot: [] } } } },
  ]);
});

test('user tokens rotate, end when the person leaves, and need their scopes in the manifest', async () => {
  const rotating = { ...manifest, settings: { ...manifest.settings, token_rotation_enabled: true } };
  const sandbox = await startSandbox({ manifest: rotating });
  const { authed_user: first } = await allow(sandbox, 'T0ACME/U0BOB', { user_scope: 'users:read' });
  expect(first).toMatchObject({ expires_in: 43_200, refresh_token: expect.any(String) });
  const grant = {
    ...client,
    grant_type: 'refresh_token' as const,
    refresh_token: String(first?.refresh_token),
  };
  const second = await sandbox.client('').oauth.v2.access(grant);
  expect(second).toMatchObject({ token_type: 'user', access_token: expect.stringContaining('xoxe.xoxp-') });
  await expect(sandbox.client('').oauth.v2.access(grant)).rejects.toThrow('invalid_refresh_token');
  await sandbox.post('person', { name: 'bob', role: 'deactivated' });
  await expect(sandbox.client(second.access_token).auth.test()).rejects.toThrow('account_inactive');
  const lacking = {
    ...manifest,
    oauth_config: { ...manifest.oauth_config, scopes: fullManifest.oauth_config.scopes },
  };
  await expect(startSandbox({ manifest: lacking })).rejects.toThrow(
    'the user event message.channels needs the user scope channels:history',
  );
});
