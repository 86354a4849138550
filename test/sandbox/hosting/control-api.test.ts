import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type HostingSandboxFixture, startHostingSandbox } from './hosting-sandbox-fixture.ts';

describe('a key', () => {
  test('can be added with its own permissions and quota', async () => {
    const sandbox = await startHostingSandbox();
    const body = { key: 'mine', permissions: ['ip.read'], quota: 2 };
    expect((await sandbox.call('POST', '/sandbox/keys', { body })).body).toEqual(body);
    expect((await sandbox.call('GET', '/v1/services/ip-addresses/ipv4', { key: 'mine' })).status).toBe(200);
    expect((await sandbox.call('GET', '/v1/vps', { key: 'mine' })).status).toBe(403);
    expect((await sandbox.call('GET', '/v1', { key: 'mine' })).status).toBe(429);
  });
});

const reboot = { body: { action: 'reboot' } };
const action = '/v1/vps/VPS-10001/action';

async function injectFault(sandbox: HostingSandboxFixture, order: Record<string, unknown>) {
  expect((await sandbox.call('POST', '/sandbox/faults', { body: order })).status).toBe(200);
}

async function statuses(sandbox: HostingSandboxFixture) {
  const log = z.object({ calls: z.array(z.object({ status: z.int() })) });
  return log.parse((await sandbox.call('GET', '/sandbox/calls')).body).calls.map(({ status }) => status);
}

async function stateOf(sandbox: HostingSandboxFixture) {
  return (await sandbox.read('/v1/vps/VPS-10001', z.object({ state: z.string() }))).state;
}

describe('a fault', () => {
  test('keeps a call waiting until its client disconnects', async () => {
    const sandbox = await startHostingSandbox();
    await injectFault(sandbox, { fault: 'timeout' });
    const client = new AbortController();
    const call = fetch(`${sandbox.url}/v1`, {
      headers: { authorization: 'Bearer sandbox-key-full' },
      signal: client.signal,
    });
    await expect.poll(() => statuses(sandbox)).toEqual([0]);
    client.abort(new Error('The client left.'));
    await expect(call).rejects.toThrow('The client left.');
    expect((await sandbox.call('GET', '/v1')).status).toBe(200);
    expect(await statuses(sandbox)).toEqual([0, 200]);
  });

  test.each([
    { fault: 'status:500', status: 500 },
    { fault: 'html', status: 200 },
    { fault: 'reset', status: 0 },
  ])('$fault after applying lets the call take effect first', async ({ fault, status }) => {
    const sandbox = await startHostingSandbox();
    await injectFault(sandbox, { fault, applied: true });
    const answer = await sandbox.call('POST', action, reboot).catch(() => undefined);
    expect(answer?.text ?? '').not.toContain('rebooting');
    expect(await stateOf(sandbox)).toBe('rebooting');
    expect(await statuses(sandbox)).toEqual([status, 200]);
  });
});

describe('a requested fault', () => {
  test('affects only its method and path, as often as requested', async () => {
    const sandbox = await startHostingSandbox();
    await injectFault(sandbox, { method: 'GET', path: '/v1/vps/*/snapshots', fault: 'status:500', times: 2 });
    const snapshots = '/v1/vps/VPS-10001/snapshots';
    expect((await sandbox.call('POST', snapshots, { body: { name: 'a' } })).status).toBe(200);
    expect((await sandbox.call('GET', '/v1/vps/VPS-10001')).status).toBe(200);
    expect((await sandbox.call('GET', `${snapshots}/a`)).status).toBe(405);
    const answered = [];
    for (let count = 0; count < 3; count++) answered.push((await sandbox.call('GET', snapshots)).status);
    expect(answered).toEqual([500, 500, 200]);
  });
});
