import { expect, test } from 'vitest';
import { startHostingSandbox } from '../hosting-sandbox-fixture.ts';

const base = '/v1/services/proxy-ssh-ipv4';
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
