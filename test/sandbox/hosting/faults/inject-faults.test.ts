import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type HostingSandboxFixture, startHostingSandbox } from '../hosting-sandbox-fixture.ts';

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
  test.each([418, 500, 503])('responds with status %i in the error envelope', async (status) => {
    const sandbox = await startHostingSandbox();
    await injectFault(sandbox, { fault: `status:${status}` });
    expect(await sandbox.call('POST', action, reboot)).toMatchObject({ status, body: { success: false } });
    expect(await stateOf(sandbox)).toBe('running');
    expect(await statuses(sandbox)).toEqual([status, 200]);
  });

  test('with status 429 says when to retry, and one with status 204 has no body', async () => {
    const sandbox = await startHostingSandbox();
    await injectFault(sandbox, { fault: 'status:429' });
    expect((await sandbox.call('GET', '/v1')).headers.get('retry-after')).toBe('1');
    await injectFault(sandbox, { fault: 'status:204' });
    expect(await sandbox.call('GET', '/v1')).toMatchObject({ status: 204, text: '' });
  });

  test('responds with a page instead of JSON', async () => {
    const sandbox = await startHostingSandbox();
    await injectFault(sandbox, { fault: 'html' });
    const answer = await sandbox.call('GET', '/v1');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.text).toContain('<h1>');
  });

  test('cuts the real response in half', async () => {
    const sandbox = await startHostingSandbox();
    const { text } = await sandbox.call('GET', '/v1/me');
    await injectFault(sandbox, { fault: 'malformed' });
    const answer = await sandbox.call('GET', '/v1/me');
    expect(answer).toMatchObject({ status: 200, text: text.slice(0, text.length / 2), body: undefined });
    expect(answer.headers.get('content-type')).toContain('application/json');
  });

  test('breaks the connection', async () => {
    const sandbox = await startHostingSandbox();
    await injectFault(sandbox, { fault: 'reset' });
    await expect(sandbox.call('POST', action, reboot)).rejects.toThrow('fetch failed');
    expect(await stateOf(sandbox)).toBe('running');
    expect(await statuses(sandbox)).toEqual([0, 200]);
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

  test('delays the real response', async () => {
    const sandbox = await startHostingSandbox();
    await injectFault(sandbox, { fault: 'slow:60' });
    const startedMs = performance.now();
    expect(await sandbox.call('GET', '/v1')).toMatchObject({
      status: 200,
      body: { data: { version: 'v1' } },
    });
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(59);
    expect(await statuses(sandbox)).toEqual([200]);
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
