import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contract } from '../../../src/hosting/endpoints/contract.ts';
import { createKeyring } from '../../../src/sandbox/hosting/keyring.ts';
import { startHostingSandbox } from './hosting-sandbox-fixture.ts';

const routes = Object.entries(contract).map(([name, endpoint]) => ({
  name,
  ...endpoint,
  path: endpoint.path
    .replace('{vps_name}', 'VPS-10001')
    .replace('{external_port}', '30000')
    .replace(/\{\w+\}/, '1'),
}));

describe('the key', () => {
  test.each([
    { why: 'missing', headers: {} },
    { why: 'unknown', headers: { authorization: 'Bearer nobody' } },
    { why: 'of another scheme', headers: { authorization: 'Basic sandbox-key-full' } },
    { why: 'unknown in the other header', headers: { 'x-api-key': 'nobody' } },
  ])('is rejected with 401 if it is $why', async ({ headers }) => {
    const sandbox = await startHostingSandbox();
    const answer = await sandbox.call('GET', '/v1', { key: null, headers });
    expect(answer).toMatchObject({
      status: 401,
      body: { success: false, error: { code: 'unauthorized', message: expect.any(String) } },
    });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('is accepted in either header', async () => {
    const sandbox = await startHostingSandbox();
    const headers = { 'x-api-key': 'sandbox-key-read' };
    expect((await sandbox.call('GET', '/v1/vps', { key: null, headers })).status).toBe(200);
    expect((await sandbox.call('GET', '/v1/vps', { key: 'sandbox-key-read' })).status).toBe(200);
  });
});

describe('the permission', () => {
  const guarded = routes.filter(({ permission }) => permission !== null);

  test('is required by every route of the API document except two, and named if a key lacks it', async () => {
    expect(guarded).toHaveLength(routes.length - 2);
    const sandbox = await startHostingSandbox();
    await sandbox.call('POST', '/sandbox/keys', { body: { key: 'powerless', permissions: [] } });
    for (const { method, path, permission } of guarded) {
      const answer = await sandbox.call(method, path, { key: 'powerless' });
      expect(answer, `${method} ${path}`).toMatchObject({
        status: 403,
        body: {
          success: false,
          error: { code: 'permission_missing', message: expect.stringContaining(`${permission}.`) },
        },
      });
    }
  });
});

describe('the quota', () => {
  test('rejects the call after the last one with 429 and says when to retry', async () => {
    const sandbox = await startHostingSandbox({ quota: 3 });
    for (const waitMs of [0, 10_000, 5_500]) {
      sandbox.advance(waitMs);
      expect((await sandbox.call('GET', '/v1')).status).toBe(200);
    }
    const refused = await sandbox.call('GET', '/v1');
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'quota_exceeded' } } });
    expect(refused.headers.get('retry-after')).toBe('45');
    sandbox.advance(44_499);
    expect((await sandbox.call('GET', '/v1')).status).toBe(429);
    sandbox.advance(1);
    expect((await sandbox.call('GET', '/v1')).status).toBe(200);
    expect((await sandbox.call('GET', '/v1')).headers.get('retry-after')).toBe('10');
  });

  test('is never exceeded in any window, and the wait is exact to the millisecond', () => {
    const gapsMs = fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 200 });
    fc.assert(
      fc.property(gapsMs, fc.integer({ min: 1, max: 8 }), (gaps, quota) => {
        const keyring = createKeyring({ quota, windowMs: 1_000 });
        const key = keyring.add({ key: 'tested' });
        const admittedMs: number[] = [];
        let atMs = 0;
        for (const gapMs of gaps) {
          atMs += gapMs;
          const waitMs = keyring.admit(key, atMs);
          if (waitMs > 0) {
            expect(keyring.admit(key, atMs + waitMs - 1)).toBe(1);
            atMs += waitMs;
            expect(keyring.admit(key, atMs)).toBe(0);
          }
          admittedMs.push(atMs);
        }
        for (const startMs of admittedMs) {
          const inWindow = admittedMs.filter((moment) => moment >= startMs && moment < startMs + 1_000);
          expect(inWindow.length).toBeLessThanOrEqual(quota);
        }
      }),
    );
  });
});
