import { expect, test } from 'vitest';
import { z } from 'zod';
import { startHostingSandbox } from '../hosting-sandbox-fixture.ts';

const base = '/v1/services/proxy-ssh-ipv4';
const mappings = z.object({
  mappings: z.array(z.object({ vps_name: z.string(), external_port: z.int(), port_vps_ssh: z.int() })),
});

test('every VPS has its own external port for SSH', async () => {
  const sandbox = await startHostingSandbox();
  const { mappings: listed } = await sandbox.read(base, mappings);
  expect(listed).toHaveLength(12);
  expect(new Set(listed.map(({ external_port }) => external_port)).size).toBe(12);
  expect(listed.every(({ port_vps_ssh }) => port_vps_ssh === 22)).toBe(true);
});

test.each([1, 2222, 65_535])('the SSH port of a VPS can be set to %i', async (port_vps_ssh) => {
  const sandbox = await startHostingSandbox();
  const { mappings: before } = await sandbox.read(base, mappings);
  expect((await sandbox.call('PATCH', `${base}/vps/VPS-10002`, { body: { port_vps_ssh } })).status).toBe(200);
  const expected = before.map((entry) =>
    entry.vps_name === 'VPS-10002' ? { ...entry, port_vps_ssh } : entry,
  );
  expect((await sandbox.read(base, mappings)).mappings).toEqual(expected);
});

test.each([0, 65_536, 22.5, '22'])('the SSH port %s is rejected with 422', async (port_vps_ssh) => {
  const sandbox = await startHostingSandbox();
  const answer = await sandbox.call('PATCH', `${base}/vps/VPS-10002`, { body: { port_vps_ssh } });
  expect(answer).toMatchObject({ status: 422, body: { error: { details: [{ field: 'port_vps_ssh' }] } } });
});

test('the SSH port of a VPS that does not exist is rejected with 404', async () => {
  const sandbox = await startHostingSandbox();
  const answer = await sandbox.call('PATCH', `${base}/vps/VPS-99999`, { body: { port_vps_ssh: 22 } });
  expect(answer.status).toBe(404);
});
