import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createClock } from '../../src/clock.ts';
import { createRateLimits } from '../../src/web-api/rate-limits.ts';
import { fullManifest, type Sandbox, startSandbox, tokens } from '../harness.ts';

async function call(sandbox: Sandbox, method: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(`${sandbox.url}/api/${method}`, { method: 'POST', ...init });
  return response.json();
}

const bearer = { authorization: `Bearer ${tokens.acme}` };

describe('tokens', () => {
  test.each([
    ['none', undefined, 'not_authed'],
    ['an unknown one', 'xoxb-someone', 'invalid_auth'],
    ['that of the app', tokens.app, 'not_allowed_token_type'],
  ])('%s is rejected', async (_what, token, error) => {
    const sandbox = await startSandbox();
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    expect(await call(sandbox, 'auth.test', { headers })).toMatchObject({ ok: false, error });
  });

  test.each([
    ['auth.test', 'xoxp-nowhere'],
    ['reminders.list', 'xoxp-nowhere'],
    ['reminders.list', 'xoxb-nowhere'],
    ['apps.connections.open', 'xapp-nowhere'],
  ])('%s knows no token %s', async (method, token) => {
    const sandbox = await startSandbox();
    const headers = { authorization: `Bearer ${token}` };
    expect(await call(sandbox, method, { headers })).toMatchObject({ ok: false, error: 'invalid_auth' });
  });

  test('each belong to their workspace and bot', async () => {
    const sandbox = await startSandbox();
    expect(await sandbox.client().auth.test()).toMatchObject({
      team_id: 'T0ACME',
      user_id: 'U0APPACME',
      bot_id: 'B0ACME',
      app_id: 'A0SANDBOX',
      url: 'https://acme.slack.com/',
      is_enterprise_install: false,
    });
    expect(await sandbox.client(tokens.globex).auth.test()).toMatchObject({
      team_id: 'T0GLOBEX',
      team: 'Globex',
    });
  });

  test('can be in the body, but not in the URL', async () => {
    const sandbox = await startSandbox();
    const body = new URLSearchParams({ token: tokens.acme });
    expect(await call(sandbox, 'auth.test', { body })).toMatchObject({ ok: true });
    const inUrl = await fetch(`${sandbox.url}/api/auth.test?token=${tokens.acme}`);
    expect(await inUrl.json()).toMatchObject({ error: 'not_authed' });
  });

  test('are revoked by an injected fault until a reset, in one workspace', async () => {
    const sandbox = await startSandbox();
    await sandbox.post('faults', { fault: 'revoke' });
    await expect(sandbox.client().auth.test()).rejects.toThrow('token_revoked');
    await expect(sandbox.client(tokens.globex).auth.test()).resolves.toMatchObject({ ok: true });
    await sandbox.post('reset');
    await expect(sandbox.client().auth.test()).resolves.toMatchObject({ ok: true });
  });
});

describe('arguments', () => {
  const args = { channel: 'C0OPS', text: 'Hello' };
  const multipart = new FormData();
  for (const [name, value] of Object.entries(args)) multipart.set(name, value);

  test.each([
    ['a form', new URLSearchParams(args), {}],
    ['JSON', JSON.stringify(args), { 'content-type': 'application/json; charset=utf-8' }],
    ['a multipart form', multipart, {}],
  ])('can be sent as %s', async (_what, body, headers) => {
    const sandbox = await startSandbox();
    const answer = await call(sandbox, 'chat.postMessage', { body, headers: { ...bearer, ...headers } });
    expect(answer).toMatchObject({ ok: true, channel: 'C0OPS', message: { text: 'Hello' } });
  });

  test.each([
    ['{', 'application/json', 'invalid_json'],
    ['[]', 'application/json', 'json_not_object'],
    ['<a/>', 'application/xml', 'invalid_post_type'],
  ])('that are %s of %s are rejected', async (body, type, error) => {
    const sandbox = await startSandbox();
    const answer = await call(sandbox, 'chat.postMessage', {
      body,
      headers: { ...bearer, 'content-type': type },
    });
    expect(answer).toMatchObject({ ok: false, error });
  });

  test('that are missing are named', async () => {
    const sandbox = await startSandbox();
    expect(await call(sandbox, 'chat.postMessage', { headers: bearer })).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: ['[ERROR] missing required field: channel'] },
    });
  });

  test('in JSON are ignored by a GET method', async () => {
    const sandbox = await startSandbox();
    const headers = { ...bearer, 'content-type': 'application/json' };
    const answer = await call(sandbox, 'users.info', { headers, body: '{"user":"U0BOB"}' });
    expect(answer).toMatchObject({ ok: false, error: 'invalid_arguments' });
  });

  const form = new FormData();
  form.set('text', 'Hello');

  test.each([
    ['without a body', 'chat.postMessage?channel=C0OPS&text=Hello', undefined],
    ['with a form', 'chat.postMessage?channel=C0OPS', new URLSearchParams({ text: 'Hello' })],
    ['with a multipart form', 'chat.postMessage?channel=C0OPS', form],
  ])('can be in the URL of a POST %s', async (_what, method, body) => {
    const answer = await call(await startSandbox(), method, { headers: bearer, ...(body && { body }) });
    expect(answer).toMatchObject({ ok: true, channel: 'C0OPS', message: { text: 'Hello' } });
  });

  test.each([
    ['without a body', undefined],
    ['with a form', new URLSearchParams({ x: 'y' })],
  ])('do not include a token in the URL of a POST %s', async (_what, body) => {
    const method = `auth.test?token=${tokens.acme}`;
    const answer = await call(await startSandbox(), method, { ...(body && { body }) });
    expect(answer).toMatchObject({ error: 'not_authed' });
  });

  test('can be in the URL of a GET', async () => {
    const sandbox = await startSandbox();
    const response = await fetch(`${sandbox.url}/api/users.info?user=U0BOB`, { headers: bearer });
    expect(await response.json()).toMatchObject({ ok: true, user: { id: 'U0BOB' } });
  });
});

test('a method that does not exist is unknown', async () => {
  const sandbox = await startSandbox();
  await expect(sandbox.client().apiCall('chat.shout')).rejects.toThrow('unknown_method');
});

test('an empty body of JSON has no arguments, and every answer has a request ID', async () => {
  const sandbox = await startSandbox();
  const headers = { ...bearer, 'content-type': 'application/json;charset=utf-8' };
  const answer = await fetch(`${sandbox.url}/api/auth.test`, { method: 'POST', headers });
  expect(await answer.json()).toMatchObject({ ok: true, user_id: 'U0APPACME' });
  expect(answer.headers.get('x-slack-req-id')).toMatch(/^[0-9a-f]{32}$/);
  expect(await call(sandbox, 'auth.test', { headers, body: '{' })).toMatchObject({ error: 'invalid_json' });
});

test.each([
  ['application/json', '{}', 'missing_charset'],
  ['application/json; charset=utf-8', '{}', undefined],
  ['application/x-www-form-urlencoded', '', undefined],
  ['application/x-www-form-urlencoded; charset=utf-8', '', 'superfluous_charset'],
])('the charset of %s is warned of as Slack does', async (type, body, warning) => {
  const sandbox = await startSandbox();
  const headers = { ...bearer, 'content-type': type };
  const answer = await call(sandbox, 'auth.test', { headers, body });
  const expected = warning && { warning, response_metadata: { warnings: [warning] } };
  expect(answer).toMatchObject({ ok: true, ...expected });
  if (!warning) expect(answer).not.toHaveProperty('warning');
  expect(await call(sandbox, 'users.info', { headers, body })).toMatchObject({ ok: false, ...expected });
});

test('methods that are not supported say so', async () => {
  const sandbox = await startSandbox();
  for (const method of ['dialog.open', 'conversations.inviteShared', 'conversations.acceptSharedInvite']) {
    expect(await call(sandbox, method, { headers: bearer })).toMatchObject({ error: 'method_not_supported' });
  }
});

test('a missing scope is named, with those that the manifest has', async () => {
  const scopes = ['chat:write', 'commands', 'app_mentions:read', 'channels:read', 'im:history'];
  const sandbox = await startSandbox({
    manifest: { ...fullManifest, oauth_config: { scopes: { bot: scopes } } },
  });
  const answer = await call(sandbox, 'users.info', {
    headers: bearer,
    body: new URLSearchParams({ user: 'U0BOB' }),
  });
  expect(answer).toMatchObject({
    ok: false,
    error: 'missing_scope',
    needed: 'users:read',
    provided: scopes.join(','),
  });
});

describe('rate limits', () => {
  test('a tier 2 method allows 20 calls a minute per workspace, then 429 says when to retry', async () => {
    const sandbox = await startSandbox();
    for (let calls = 0; calls < 20; calls += 1) await sandbox.client().usergroups.list();
    const refused = await fetch(`${sandbox.url}/api/usergroups.list`, { headers: bearer });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(await refused.json()).toEqual({ ok: false, error: 'ratelimited' });
    await expect(sandbox.client(tokens.globex).usergroups.list()).resolves.toMatchObject({ ok: true });
    await sandbox.advance(60_000);
    await expect(sandbox.client().usergroups.list()).resolves.toMatchObject({ ok: true });
  });

  test('a channel allows a burst of five messages, then one a second', async () => {
    const sandbox = await startSandbox();
    const post = (channel: string) => sandbox.client().chat.postMessage({ channel, text: 'Hello' });
    for (let posts = 0; posts < 5; posts += 1) await post('C0OPS');
    await expect(post('C0OPS')).rejects.toMatchObject({ retryAfter: 5 });
    await expect(post('C0GENERAL')).resolves.toMatchObject({ ok: true });
    await sandbox.advance(5000);
    await expect(post('C0OPS')).resolves.toMatchObject({ ok: true });
  });

  test('a fault rejects the next calls of one method', async () => {
    const sandbox = await startSandbox();
    await sandbox.post('faults', { fault: 'ratelimit:chat.postMessage', times: 2 });
    const post = () => sandbox.client().chat.postMessage({ channel: 'C0OPS', text: 'Hello' });
    await expect(post()).rejects.toMatchObject({ retryAfter: 1 });
    await expect(sandbox.client().auth.test()).resolves.toMatchObject({ ok: true });
    await expect(post()).rejects.toMatchObject({ retryAfter: 1 });
    await expect(post()).resolves.toMatchObject({ ok: true });
  });

  test('never allow more calls than the limit in any window', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(fc.nat(400), { maxLength: 80 }), (count, gaps) => {
        const clock = createClock(() => 0);
        const limits = createRateLimits(clock);
        const passed: number[] = [];
        for (const gap of gaps) {
          clock.advance(gap);
          if (limits.consume('key', { count, windowMs: 1000 }) === 0) passed.push(clock.now());
        }
        for (const start of passed) {
          expect(passed.filter((at) => at >= start && at < start + 1000).length).toBeLessThanOrEqual(count);
        }
      }),
    );
  });
});
