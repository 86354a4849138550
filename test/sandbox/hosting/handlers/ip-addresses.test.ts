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
