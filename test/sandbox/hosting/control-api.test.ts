import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type HostingSandboxFixture, startHostingSandbox } from './hosting-sandbox-fixture.ts';

describe('the log of calls', () => {
  test('has every call as it was received and answered, oldest first', async () => {
    const sandbox = await startHostingSandbox();
    const startMs = sandbox.nowMs();
    await sandbox.call('GET', '/v1/vps/VPS-10001/monitoring/rrd?range=day', { key: 'sandbox-key-read' });
    sandbox.advance(1_500);
    await sandbox.call('POST', '/v1/vps/vps-10002/action', { body: { action: 'reboot' } });
    await sandbox.call('DELETE', '/v1/vps/VPS-10001/snapshots/a%2Fb', { body: '{broken' });
    await sandbox.call('GET', '/nowhere', { key: 'nobody' });
    expect((await sandbox.call('GET', '/sandbox/calls')).body).toEqual({
      calls: [
        {
          at: startMs,
          method: 'GET',
          path: '/v1/vps/VPS-10001/monitoring/rrd',
          query: { range: 'day' },
          body: null,
          status: 200,
          key: 'sandbox-key-read',
        },
        {
          at: startMs + 1_500,
          method: 'POST',
          path: '/v1/vps/vps-10002/action',
          query: {},
          body: { action: 'reboot' },
          status: 200,
          key: 'sandbox-key-full',
        },
        {
          at: startMs + 1_500,
          method: 'DELETE',
          path: '/v1/vps/VPS-10001/snapshots/a%2Fb',
          query: {},
          body: '{broken',
          status: 400,
          key: 'sandbox-key-full',
        },
        {
          at: startMs + 1_500,
          method: 'GET',
          path: '/nowhere',
          query: {},
          body: null,
          status: 401,
          key: null,
        },
      ],
    });
  });
});

describe('the faults', () => {
  test('are listed as pending or triggered, with what there is to choose from', async () => {
    const sandbox = await startHostingSandbox();
    await sandbox.call('POST', '/sandbox/faults', { body: { fault: 'slow:0', path: '/v1/*', times: 2 } });
    await sandbox.call('POST', '/sandbox/faults', { body: { fault: 'html', method: 'POST' } });
    await sandbox.call('GET', '/v1/vps');
    expect((await sandbox.call('GET', '/sandbox/faults')).body).toMatchObject({
      waiting: [
        { fault: 'slow:0', path: '/v1/*', times: 1 },
        { fault: 'html', method: 'POST', times: 1 },
      ],
      struck: [{ fault: 'slow:0', method: 'GET', path: '/v1/vps', at: sandbox.nowMs() }],
      routes: expect.arrayContaining([expect.objectContaining({ method: 'GET', path: '/v1/vps' })]),
    });
  });
});

describe('the data for the page', () => {
  test('has state, keys and calls, newest last', async () => {
    const sandbox = await startHostingSandbox({ quota: 2 });
    for (let count = 0; count < 3; count++) await sandbox.call('GET', '/v1');
    const { body } = await sandbox.call('GET', '/sandbox/overview', { key: null });
    expect(body).toMatchObject({
      now: sandbox.nowMs(),
      window_ms: 60_000,
      keys: [{ key: 'sandbox-key-full', quota: 2 }, { key: 'sandbox-key-read' }],
      machines: expect.arrayContaining([
        expect.objectContaining({ vps_name: 'VPS-10012', state: 'stopped' }),
      ]),
      calls: [
        { id: 1, status: 200, is_over_quota: false },
        { id: 2, status: 200, is_over_quota: false },
        { id: 3, status: 429, is_over_quota: true },
      ],
    });
  });
});

describe('a key', () => {
  test('can be added with its own permissions and quota', async () => {
    const sandbox = await startHostingSandbox();
    const body = { key: 'mine', permissions: ['ip.read'], quota: 2 };
    expect((await sandbox.call('POST', '/sandbox/keys', { body })).body).toEqual(body);
    expect((await sandbox.call('GET', '/v1/services/ip-addresses/ipv4', { key: 'mine' })).status).toBe(200);
    expect((await sandbox.call('GET', '/v1/vps', { key: 'mine' })).status).toBe(403);
    expect((await sandbox.call('GET', '/v1', { key: 'mine' })).status).toBe(429);
  });

  test.each([{ key: '' }, { key: 'a b' }, { key: 'a', permissions: ['vps.fly'] }, { key: 'a', quota: 0 }])(
    'like %j is rejected with 400',
    async (body) => {
      const sandbox = await startHostingSandbox();
      expect((await sandbox.call('POST', '/sandbox/keys', { body })).status).toBe(400);
    },
  );
});

describe('a reset', () => {
  const damage = async (sandbox: Awaited<ReturnType<typeof startHostingSandbox>>) => {
    await sandbox.call('POST', '/sandbox/keys', { body: { key: 'mine' } });
    await sandbox.call('POST', '/v1/vps/VPS-10001/action', { body: { action: 'stop' } });
    await sandbox.call('DELETE', '/v1/services/webgate/domains/shop.acme.example');
    await sandbox.call('POST', '/sandbox/faults', { body: { fault: 'status:500', times: 9 } });
  };

  test.each(['over HTTP', 'in process'])('restores everything, %s', async (way) => {
    const sandbox = await startHostingSandbox({ quota: 4 });
    const before = [await sandbox.call('GET', '/v1/vps'), await sandbox.call('GET', '/v1/services/webgate')];
    await damage(sandbox);
    if (way === 'in process') sandbox.reset();
    else expect((await sandbox.call('POST', '/sandbox/reset')).status).toBe(200);
    expect((await sandbox.call('GET', '/sandbox/calls')).body).toEqual({ calls: [] });
    expect((await sandbox.call('GET', '/v1', { key: 'mine' })).status).toBe(401);
    const after = [await sandbox.call('GET', '/v1/vps'), await sandbox.call('GET', '/v1/services/webgate')];
    expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
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
  test('with status 429 says when to retry, and one with status 204 has no body', async () => {
    const sandbox = await startHostingSandbox();
    await injectFault(sandbox, { fault: 'status:429' });
    expect((await sandbox.call('GET', '/v1')).headers.get('retry-after')).toBe('1');
    await injectFault(sandbox, { fault: 'status:204' });
    expect(await sandbox.call('GET', '/v1')).toMatchObject({ status: 204, text: '' });
  });

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

  test('delays the real response, but not its effect', async () => {
    const sandbox = await startHostingSandbox();
    await injectFault(sandbox, { fault: 'slow:1' });
    expect(await sandbox.call('GET', '/v1')).toMatchObject({
      status: 200,
      body: { data: { version: 'v1' } },
    });
    await injectFault(sandbox, { fault: 'slow:3600000' });
    const client = new AbortController();
    const call = fetch(`${sandbox.url}${action}`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-key-full', 'content-type': 'application/json' },
      body: JSON.stringify(reboot.body),
      signal: client.signal,
    });
    await expect.poll(() => stateOf(sandbox)).toBe('rebooting');
    client.abort(new Error('The client left.'));
    await expect(call).rejects.toThrow('The client left.');
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

  test.each([
    [{ fault: 'explode' }, 'explode'],
    [{ fault: 'status:99' }, 'status:NNN'],
    [{ fault: 'status:600' }, 'status:NNN'],
    [{ fault: 'status' }, 'status:NNN'],
    [{ fault: 'slow:soon' }, 'slow:MS'],
    [{ fault: 'timeout:5' }, 'timeout'],
    [{}, 'fault'],
    [{ fault: 'reset', times: 0 }, 'times'],
    [{ fault: 'reset', path: 'v1' }, 'path'],
    [{ fault: 'reset', method: 'FETCH' }, 'method'],
    [{ fault: 'reset', time: 2 }, 'time'],
  ])('written as %j is rejected with 400 and a message about %s', async (order, word) => {
    const sandbox = await startHostingSandbox();
    expect(await sandbox.call('POST', '/sandbox/faults', { body: order })).toMatchObject({
      status: 400,
      body: { success: false, error: { message: expect.stringContaining(word) } },
    });
    expect((await sandbox.call('GET', '/v1')).status).toBe(200);
  });
});
