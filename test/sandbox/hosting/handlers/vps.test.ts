import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type HostingSandboxFixture, startHostingSandbox } from '../hosting-sandbox-fixture.ts';

const vps = z.object({
  vps_name: z.string(),
  hostname: z.string(),
  state: z.string(),
  os: z.string(),
  ipv4: z.ipv4().nullable(),
  ipv6: z.ipv6().nullable(),
  uptime: z.number(),
});
const fleet = z.object({ vps: z.array(vps) });

function readVps(sandbox: HostingSandboxFixture, name = 'VPS-10001') {
  return sandbox.read(`/v1/vps/${name}`, vps);
}

describe('the fleet', () => {
  test('has twelve VPS with different names, all but one running', async () => {
    const sandbox = await startHostingSandbox();
    const { vps: machines } = await sandbox.read('/v1/vps', fleet);
    expect(machines.map(({ vps_name }) => vps_name)).toEqual(
      Array.from({ length: 12 }, (_, index) => `VPS-${10_001 + index}`),
    );
    expect(new Set(machines.map(({ hostname }) => hostname)).size).toBe(12);
    expect(machines.filter(({ state }) => state !== 'running')).toMatchObject([
      { vps_name: 'VPS-10012', state: 'stopped', uptime: 0 },
    ]);
  });
});

describe('a VPS', () => {
  test('that does not exist is rejected with 404, a malformed name with 422', async () => {
    const sandbox = await startHostingSandbox();
    expect(await sandbox.call('GET', '/v1/vps/VPS-99999')).toMatchObject({
      status: 404,
      body: { success: false, error: { code: 'not_found', message: 'There is no VPS VPS-99999.' } },
    });
    expect((await sandbox.call('GET', '/v1/vps/web-01')).status).toBe(422);
  });
});

describe('an action', () => {
  const act = (sandbox: HostingSandboxFixture, action: string, name = 'VPS-10001') =>
    sandbox.call('POST', `/v1/vps/${name}/action`, { body: { action } });

  test('reboots for four seconds, after which the uptime restarts', async () => {
    const sandbox = await startHostingSandbox();
    expect(await act(sandbox, 'reboot')).toMatchObject({
      status: 200,
      body: { success: true, data: { vps_name: 'VPS-10001', state: 'rebooting' } },
    });
    sandbox.advance(3_999);
    expect(await readVps(sandbox)).toMatchObject({ state: 'rebooting', uptime: 0 });
    sandbox.advance(1);
    expect(await readVps(sandbox)).toMatchObject({ state: 'running', uptime: 0 });
    sandbox.advance(90_000);
    expect(await readVps(sandbox)).toMatchObject({ state: 'running', uptime: 90 });
  });

  test.each([
    { action: 'start', name: 'VPS-10012', via: 'starting', to: 'running' },
    { action: 'stop', name: 'VPS-10001', via: 'stopping', to: 'stopped' },
    { action: 'shutdown', name: 'VPS-10001', via: 'stopping', to: 'stopped' },
  ])('$action goes through $via to $to', async ({ action, name, via, to }) => {
    const sandbox = await startHostingSandbox();
    expect((await act(sandbox, action, name)).status).toBe(200);
    expect((await readVps(sandbox, name)).state).toBe(via);
    sandbox.advance(5_000);
    expect((await readVps(sandbox, name)).state).toBe(to);
  });

  test.each([
    { action: 'reboot', name: 'VPS-10012' },
    { action: 'stop', name: 'VPS-10012' },
    { action: 'start', name: 'VPS-10001' },
  ])('$action is rejected with 409 if the state of $name does not allow it', async ({ action, name }) => {
    const sandbox = await startHostingSandbox();
    const before = await readVps(sandbox, name);
    expect((await act(sandbox, action, name)).status).toBe(409);
    expect(await readVps(sandbox, name)).toEqual(before);
  });

  test('is rejected with 409 during another one', async () => {
    const sandbox = await startHostingSandbox();
    await act(sandbox, 'reboot');
    expect(await act(sandbox, 'stop')).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', message: expect.stringContaining('rebooting') } },
    });
  });

  test('that is unknown is rejected with 422 and a list of the known ones', async () => {
    const sandbox = await startHostingSandbox();
    expect(await act(sandbox, 'explode')).toMatchObject({
      status: 422,
      body: {
        error: { details: [{ in: 'body', field: 'action', message: expect.stringContaining('reboot') }] },
      },
    });
  });
});

describe('a reinstall', () => {
  const reinstall = (sandbox: HostingSandboxFixture, body: unknown) =>
    sandbox.call('POST', '/v1/vps/VPS-10001/reinstall', { body });

  test('takes eight seconds and returns the root password', async () => {
    const sandbox = await startHostingSandbox();
    expect(await reinstall(sandbox, { os: 'ubuntu-24.04', delivery: 'api' })).toMatchObject({
      status: 200,
      body: { data: { state: 'reinstalling', root_password: expect.stringMatching(/^\w{20}$/) } },
    });
    sandbox.advance(7_999);
    expect((await readVps(sandbox)).state).toBe('reinstalling');
    sandbox.advance(1);
    expect(await readVps(sandbox)).toMatchObject({ state: 'running', os: 'ubuntu-24.04' });
  });

  test.each([
    { body: { os: 'windows-95', delivery: 'api' }, field: 'os' },
    { body: { os: 'debian-13', delivery: 'pigeon' }, field: 'delivery' },
  ])('is rejected with 422 for an unknown $field, and changes nothing', async ({ body, field }) => {
    const sandbox = await startHostingSandbox();
    expect(await reinstall(sandbox, body)).toMatchObject({
      status: 422,
      body: { error: { details: [{ in: 'body', field }] } },
    });
    expect(await readVps(sandbox)).toMatchObject({ state: 'running', os: 'debian-12' });
  });
});
