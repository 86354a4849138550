import { describe, expect, test } from 'vitest';
import { fullManifest, startSandbox, startSocketApp, tokens } from '../harness.ts';

const redirectUrl = 'https://app.example/slack/oauth_redirect';
const manifest = {
  ...fullManifest,
  oauth_config: { ...fullManifest.oauth_config, redirect_urls: [redirectUrl] },
  settings: {
    ...fullManifest.settings,
    org_deploy_enabled: true,
    event_subscriptions: {
      bot_events: ['app_uninstalled', 'tokens_revoked', 'team_access_revoked', 'team_access_granted'],
    },
  },
};
const client = { client_id: 'sandbox-client-id', client_secret: 'sandbox-client-secret' };

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

function consentUrl({ url }: Sandbox, more: Record<string, string> = {}): string {
  const query = { client_id: client.client_id, scope: 'chat:write,commands', state: 's', ...more };
  return `${url}/oauth/v2/authorize?${new URLSearchParams(query)}`;
}

async function answer(sandbox: Sandbox, installer: string, decision = 'allow', more = {}): Promise<URL> {
  const response = await fetch(consentUrl(sandbox, more), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ installer, decision }),
  });
  return new URL(response.headers.get('location') ?? '');
}

const access = (sandbox: Sandbox, more: Record<string, string>) =>
  sandbox.client('').oauth.v2.access({ ...client, ...more });

async function install(sandbox: Sandbox, installer: string) {
  const code = (await answer(sandbox, installer)).searchParams.get('code') ?? '';
  return access(sandbox, { code });
}

describe('the consent page', () => {
  test('redirects people with a code and the state, or with their refusal', async () => {
    const sandbox = await startSandbox({ manifest });
    const allowed = await answer(sandbox, 'T0GLOBEX/U0GWEN');
    expect(allowed.href.startsWith(`${redirectUrl}?`)).toBe(true);
    expect(Object.fromEntries(allowed.searchParams)).toEqual({ state: 's', code: expect.any(String) });
    const cancelled = await answer(sandbox, 'T0GLOBEX/U0GWEN', 'cancel');
    expect(Object.fromEntries(cancelled.searchParams)).toEqual({ state: 's', error: 'access_denied' });
  });

  test.each([
    ['another client', { client_id: 'other' }, 'Invalid client_id parameter'],
    ['no scopes', { scope: '' }, 'No scopes requested'],
    ['a scope that the manifest does not have', { scope: 'admin' }, 'Invalid permissions requested: admin'],
    ['an address that is not configured', { redirect_uri: 'https://evil.example/' }, 'did not match'],
    ['an address that only begins alike', { redirect_uri: `${redirectUrl}.evil.example` }, 'did not match'],
  ])('is not shown for %s', async (_, more, reason) => {
    const response = await fetch(consentUrl(await startSandbox({ manifest }), more));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(reason);
  });

  test('offers owners and members, and organizations if the manifest allows them', async () => {
    const whole = await (await fetch(consentUrl(await startSandbox({ manifest })))).text();
    for (const offered of ['T0ACME/U0ALICE', 'T0ACME/U0BOB', 'E0INITECH/U0ERIN'])
      expect(whole).toContain(offered);
    for (const other of ['U0DAVE', 'T0ACME/U0ERIN', 'U0APPACME']) expect(whole).not.toContain(other);
    const single = { ...manifest, settings: { ...manifest.settings, org_deploy_enabled: false } };
    const page = await (await fetch(consentUrl(await startSandbox({ manifest: single })))).text();
    expect(page).not.toContain('E0INITECH');
  });
});

describe('a code', () => {
  test('brings a webhook if the app asks for one', async () => {
    const { bot } = manifest.oauth_config.scopes;
    const sandbox = await startSandbox({
      manifest: {
        ...manifest,
        oauth_config: { ...manifest.oauth_config, scopes: { bot: [...bot, 'incoming-webhook'] } },
      },
    });
    const codeFor = async (scope: string) =>
      (await answer(sandbox, 'T0ACME/U0ALICE', 'allow', { scope })).searchParams.get('code') ?? '';
    const { incoming_webhook } = await access(sandbox, { code: await codeFor('incoming-webhook') });
    expect(incoming_webhook).toMatchObject({ channel: '#general', channel_id: 'C0GENERAL' });
    const posted = await fetch(incoming_webhook?.url ?? '', { method: 'POST', body: '{"text":"Hi"}' });
    expect(await posted.text()).toBe('ok');
    expect(await access(sandbox, { code: await codeFor('commands') })).not.toHaveProperty('incoming_webhook');
  });

  test('can be exchanged once, by its own app, before it expires', async () => {
    const sandbox = await startSandbox({ manifest });
    const code = async () => (await answer(sandbox, 'T0GLOBEX/U0GWEN')).searchParams.get('code') ?? '';
    await expect(access(sandbox, { code: await code(), client_secret: 'x' })).rejects.toThrow(
      'bad_client_secret',
    );
    await expect(access(sandbox, { code: await code(), client_id: 'x' })).rejects.toThrow(
      'invalid_client_id',
    );
    await expect(access(sandbox, { code: 'guessed' })).rejects.toThrow('invalid_code');
    const first = await code();
    await access(sandbox, { code: first });
    await expect(access(sandbox, { code: first })).rejects.toThrow('invalid_code');
    const late = await code();
    await sandbox.advance(10 * 60_000);
    await expect(access(sandbox, { code: late })).rejects.toThrow('invalid_code');
  });

  test('needs the redirect address for which it was issued', async () => {
    const sandbox = await startSandbox({ manifest });
    const back = await answer(sandbox, 'T0GLOBEX/U0GWEN', 'allow', { redirect_uri: redirectUrl });
    const code = back.searchParams.get('code') ?? '';
    await expect(access(sandbox, { code })).rejects.toThrow('bad_redirect_uri');
  });
});

describe('an installation', () => {
  test('in a workspace has a token, which stays the same until it stops working', async () => {
    const sandbox = await startSandbox({ manifest });
    const facts = {
      team: { id: 'T0GLOBEX', name: 'Globex' },
      enterprise: null,
      is_enterprise_install: false,
    };
    expect(await install(sandbox, 'T0GLOBEX/U0GWEN')).toMatchObject({
      ...facts,
      access_token: tokens.globex,
    });
    await sandbox.post('uninstall', { team: 'T0GLOBEX' });
    await expect(sandbox.client(tokens.globex).auth.test()).rejects.toThrow('account_inactive');
    const { access_token: token } = await install(sandbox, 'T0GLOBEX/U0GWEN');
    expect(token).not.toBe(tokens.globex);
    expect(await sandbox.client(token).auth.test()).toMatchObject({ team_id: 'T0GLOBEX' });
    await expect(sandbox.client(tokens.globex).auth.test()).rejects.toThrow('invalid_auth');
  });

  test('in an organization has one token, for which each call names the workspace', async () => {
    const sandbox = await startSandbox({ manifest });
    const installed = await install(sandbox, 'E0INITECH/U0ERIN');
    expect(installed).toMatchObject({
      team: null,
      enterprise: { id: 'E0INITECH' },
      is_enterprise_install: true,
    });
    const [orgWide, initrode] = [
      sandbox.client(installed.access_token),
      sandbox.client(installed.access_token, { teamId: 'T0INITRODE' }),
    ];
    expect(await orgWide.auth.test()).toMatchObject({ team_id: 'E0INITECH', is_enterprise_install: true });
    await expect(orgWide.users.info({ user: 'U0FRED' })).rejects.toThrow('missing_argument');
    expect(await initrode.users.info({ user: 'U0FRED' })).toMatchObject({ user: { name: 'fred' } });
    await sandbox.post('uninstall', { team: 'T0INITRODE' });
    await expect(initrode.users.info({ user: 'U0FRED' })).rejects.toThrow('team_access_not_granted');
    expect(await orgWide.auth.test()).toMatchObject({ ok: true });
    await sandbox.post('grant-access', { team: 'T0INITRODE' });
    expect(await initrode.users.info({ user: 'U0FRED' })).toMatchObject({ ok: true });
    const sent = (await sandbox.traffic()).filter(({ kind, retry }) => kind === 'events_api' && !retry);
    expect(sent.map(({ payload }) => payload.event)).toMatchObject([
      { type: 'team_access_revoked', team_ids: ['T0INITRODE'] },
      { type: 'team_access_granted', team_ids: ['T0INITRODE'] },
    ]);
    await expect(sandbox.post('grant-access', { team: 'T0ACME' })).rejects.toThrow(
      'has not installed the app',
    );
  });

  test('that is removed is reported to the app', async () => {
    const sandbox = await startSandbox({ manifest });
    const heard: string[] = [];
    await startSocketApp(sandbox, (app) => {
      for (const event of ['app_uninstalled', 'tokens_revoked']) {
        app.event(event, async () => void heard.push(event));
      }
    });
    await sandbox.client().apps.uninstall(client);
    await expect.poll(() => heard.toSorted()).toEqual(['app_uninstalled', 'tokens_revoked']);
    expect(
      await sandbox.post('slash', { user: 'U0ALICE', channel: 'C0OPS', command: '/vps', text: '' }),
    ).toMatchObject({
      acknowledged: false,
      error: '/vps is not a valid command.',
    });
  });

  test('with a revoked token gets that as the error', async () => {
    const sandbox = await startSandbox({ manifest });
    expect(await sandbox.client().auth.revoke({ test: true })).toMatchObject({ revoked: false });
    expect(await sandbox.client().auth.revoke()).toMatchObject({ revoked: true });
    await expect(sandbox.client().auth.test()).rejects.toThrow('token_revoked');
  });
});
