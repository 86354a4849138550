import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type HostingSandboxFixture, startHostingSandbox } from '../hosting-sandbox-fixture.ts';

const owner = z.string().nullable();
const base = '/v1/services/ip-addresses';
const kinds = [
  { kind: 'ipv4', resource: z.object({ id: z.int(), address: z.ipv4(), vps_name: owner }) },
  { kind: 'ipv6', resource: z.object({ id: z.string(), address: z.ipv6(), vps_name: owner }) },
] as const;

describe.each(kinds)('$kind resources', ({ kind, resource }) => {
  async function listed(sandbox: HostingSandboxFixture) {
    const data = await sandbox.read(`${base}/${kind}`, z.record(z.string(), z.array(resource)));
    return data[kind] ?? [];
  }

  async function pick(sandbox: HostingSandboxFixture, isFree: boolean) {
    const found = (await listed(sandbox)).find(({ vps_name }) => (vps_name === null) === isFree);
    if (!found)
      throw new Error(`The beginning has no ${kind} resource that is ${isFree ? 'free' : 'attached'}.`);
    return found;
  }

  test('have their own identifiers; some are attached and some are free', async () => {
    const sandbox = await startHostingSandbox();
    const resources = await listed(sandbox);
    expect(new Set(resources.map(({ id }) => id)).size).toBe(resources.length);
    expect(resources.filter(({ vps_name }) => vps_name === null)).toHaveLength(4);
  });

  test('that are free can be attached, and then belong to the VPS', async () => {
    const sandbox = await startHostingSandbox();
    const { id, address } = await pick(sandbox, true);
    const answer = await sandbox.call('POST', `${base}/${kind}/${id}/attach`, {
      body: { vps_name: 'vps-10002' },
    });
    expect(answer).toMatchObject({ status: 200, body: { data: { id, vps_name: 'VPS-10002' } } });
    expect((await sandbox.call('GET', '/v1/vps/VPS-10002/ip-addresses')).text).toContain(address);
  });

  test('that are attached can be detached with or without a body, and are free afterwards', async () => {
    const sandbox = await startHostingSandbox();
    for (const hasBody of [false, true]) {
      const { id, vps_name } = await pick(sandbox, false);
      const options = hasBody ? { body: { vps_name } } : {};
      const { status } = await sandbox.call('POST', `${base}/${kind}/${id}/detach`, options);
      expect(status).toBe(200);
      expect(await listed(sandbox)).toContainEqual(expect.objectContaining({ id, vps_name: null }));
    }
  });

  test('that are attached cannot be attached again', async () => {
    const sandbox = await startHostingSandbox();
    const before = await listed(sandbox);
    const { id } = await pick(sandbox, false);
    const answer = await sandbox.call('POST', `${base}/${kind}/${id}/attach`, {
      body: { vps_name: 'VPS-10005' },
    });
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('VPS-10001') } },
    });
    expect(await listed(sandbox)).toEqual(before);
  });

  test('that are free cannot be detached', async () => {
    const sandbox = await startHostingSandbox();
    const { id } = await pick(sandbox, true);
    expect((await sandbox.call('POST', `${base}/${kind}/${id}/detach`)).status).toBe(409);
  });

  test('and VPS that do not exist are rejected with 404', async () => {
    const sandbox = await startHostingSandbox();
    const { id } = await pick(sandbox, true);
    const attach = (resourceId: string | number, vps_name: string) =>
      sandbox.call('POST', `${base}/${kind}/${resourceId}/attach`, { body: { vps_name } });
    expect((await attach(99_999, 'VPS-10001')).status).toBe(404);
    expect((await attach(id, 'VPS-99999')).status).toBe(404);
    expect((await sandbox.call('POST', `${base}/${kind}/99999/detach`)).status).toBe(404);
  });
});

test('an IPv4 identifier that is not an integer is rejected with 422', async () => {
  const sandbox = await startHostingSandbox();
  const answer = await sandbox.call('POST', `${base}/ipv4/five/attach`, { body: { vps_name: 'VPS-10001' } });
  expect(answer).toMatchObject({
    status: 422,
    body: { error: { details: [{ in: 'params', field: 'id' }] } },
  });
});

test('routes without a documented path are at the configured one only', async () => {
  const sandbox = await startHostingSandbox({
    pathOverrides: {
      HOSTING_IP_IPV4_LIST_PATH: '/v1/services/ip-addresses/v4/all',
      HOSTING_IP_IPV4_DETACH_PATH: '/v1/services/ip-addresses/release/{id}',
    },
  });
  expect((await sandbox.call('GET', `${base}/v4/all`)).status).toBe(200);
  expect((await sandbox.call('POST', `${base}/release/501`)).body).toMatchObject({
    data: { id: 501, vps_name: null },
  });
  expect((await sandbox.call('GET', `${base}/ipv4`)).status).toBe(404);
  expect((await sandbox.call('GET', `${base}/ipv6`)).status).toBe(200);
});

test('routes with the same configured path keep the sandbox from starting', async () => {
  const pathOverrides = { HOSTING_IP_IPV4_LIST_PATH: base, HOSTING_IP_IPV6_LIST_PATH: base };
  await expect(startHostingSandbox({ pathOverrides })).rejects.toThrow(`Two routes share GET ${base}.`);
});
