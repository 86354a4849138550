import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { findFreeAddress, validateIpRange } from '../../../../src/sandbox/hosting/state/vlans.ts';
import { type HostingSandboxFixture, startHostingSandbox } from '../hosting-sandbox-fixture.ts';

const vlan = z.object({ id: z.string(), name: z.string(), ip_range: z.string(), vps: z.array(z.string()) });
const vlans = z.object({
  vlans: z.array(vlan),
  vlan_quota: z.int(),
  bandwidth_quota_mbps: z.int(),
  vlan_ip: z.ipv4().nullable(),
});
/** A VPS that is attached to nothing at the beginning. */
const path = '/v1/vps/VPS-10009/vlan';

async function create(sandbox: HostingSandboxFixture, ip_range: string, name = 'test') {
  const { status, body } = await sandbox.call('POST', path, { body: { name, ip_range } });
  expect(status).toBe(200);
  return z.object({ data: vlan }).parse(body).data;
}

const move = (
  sandbox: HostingSandboxFixture,
  way: 'attach' | 'detach',
  vlan_id: string,
  name = 'VPS-10009',
) => sandbox.call('POST', `/v1/vps/${name}/vlan/${way}`, { body: { vlan_id } });

describe('a new VLAN', () => {
  test.each([
    ['203.0.113.0/24', 'private'],
    ['192.168.0.0/15', 'private'],
    ['10.0.0.0/30', 'small'],
    ['10.0.0.5/24', '10.0.0.0'],
    ['10.0.0.0', 'ip_range'],
    ['ten', 'ip_range'],
  ])('with the range %s is rejected with 422', async (ip_range, reason) => {
    const sandbox = await startHostingSandbox();
    expect(await sandbox.call('POST', path, { body: { name: 'lab', ip_range } })).toMatchObject({
      status: 422,
      body: {
        error: { message: expect.stringContaining(reason), details: [{ in: 'body', field: 'ip_range' }] },
      },
    });
  });

  test.each(['10.20.0.128/25', '10.20.0.0/16'])(
    'with %s is rejected because it is taken',
    async (ip_range) => {
      const sandbox = await startHostingSandbox();
      expect(await sandbox.call('POST', path, { body: { name: 'lab', ip_range } })).toMatchObject({
        status: 409,
        body: { error: { message: expect.stringContaining('backend') } },
      });
    },
  );
});

describe('attaching', () => {
  test('gives each VPS the next address of the range', async () => {
    const sandbox = await startHostingSandbox();
    const { id } = await create(sandbox, '10.99.0.0/28');
    for (const [index, name] of ['VPS-10009', 'VPS-10010'].entries()) {
      expect(await move(sandbox, 'attach', id, name)).toMatchObject({
        status: 200,
        body: { data: { vlan_id: id, vlan_ip: `10.99.0.${index + 1}` } },
      });
    }
    expect((await sandbox.read(path, vlans)).vlan_ip).toBe('10.99.0.1');
  });

  test("is rejected if the VPS is attached already, the range is full, or the VLAN doesn't exist", async () => {
    const sandbox = await startHostingSandbox({ vpsCount: 14 });
    const { id } = await create(sandbox, '10.99.0.0/29');
    for (let number = 10_007; number <= 10_012; number++) await move(sandbox, 'attach', id, `VPS-${number}`);
    expect((await move(sandbox, 'attach', id, 'VPS-10007')).status).toBe(409);
    expect(await move(sandbox, 'attach', id, 'VPS-10013')).toMatchObject({
      status: 409,
      body: { error: { message: 'Every address of 10.99.0.0/29 is taken.' } },
    });
    expect((await move(sandbox, 'attach', 'vlan-nope', 'VPS-10013')).status).toBe(404);
  });
});

describe('detaching and deleting', () => {
  test('detaching removes the VLAN IP, if there is one', async () => {
    const sandbox = await startHostingSandbox();
    const { id } = await create(sandbox, '10.99.0.0/28');
    await move(sandbox, 'attach', id);
    expect((await move(sandbox, 'detach', id)).status).toBe(200);
    expect((await sandbox.read(path, vlans)).vlan_ip).toBeNull();
    expect((await move(sandbox, 'detach', id)).status).toBe(409);
  });
});

describe('ranges', () => {
  const range = fc
    .tuple(fc.integer({ min: 0, max: 0xffffff }), fc.integer({ min: 8, max: 29 }))
    .map(([host, prefix]) => {
      const network = host & (0xffffff << (32 - prefix)) & 0xffffff;
      return { first: network, last: network + 2 ** (32 - prefix) - 1, prefix };
    });
  const write = ({ first, prefix }: { first: number; prefix: number }) =>
    `10.${first >> 16}.${(first >> 8) & 255}.${first & 255}/${prefix}`;

  test('that start at their first address are accepted and assign it plus one', () => {
    fc.assert(
      fc.property(range, (one) => {
        expect(validateIpRange(write(one))).toBeUndefined();
        const empty = { id: 'vlan-1', name: 'one', ip_range: write(one), addresses: new Map() };
        const next = write({ first: one.first + 1, prefix: one.prefix }).split('/')[0];
        expect(findFreeAddress(empty)).toBe(next);
      }),
    );
  });
});
