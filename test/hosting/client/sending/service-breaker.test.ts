import { afterEach, beforeEach, expect, test } from 'vitest';
import { createServiceBreaker } from '../../../../src/hosting/client/service-breaker.ts';
import { createTransport, type Transport } from '../../../../src/hosting/client/transport.ts';
import { getStatus } from '../../../../src/hosting/endpoints/system.ts';
import { performVpsAction } from '../../../../src/hosting/endpoints/vps.ts';
import { createRateLimiter, type RateLimiter } from '../../../../src/hosting/quota/rate-limiter.ts';
import { createHostingSandbox, type HostingSandbox } from '../../../../src/sandbox/hosting/sandbox.ts';
import { createHostingClients } from '../../../../src/workspaces/hosting-clients.ts';
import { createHostingDriver } from '../../../stack.ts';

let sandbox: HostingSandbox;
let rateLimiter: RateLimiter;
let transport: Transport;
let breaker: ReturnType<typeof createServiceBreaker>;

beforeEach(async () => {
  sandbox = await createHostingSandbox({ port: 0 });
  rateLimiter = await createRateLimiter({ callTimeoutMs: 5_000 });
  breaker = createServiceBreaker();
  transport = createTransport({ headersTimeoutMs: 800 }, breaker.callEnded);
});

afterEach(async () => {
  await rateLimiter.close();
  await transport.close();
  await sandbox.close();
});

function openClient(apiKey = 'sandbox-key-full') {
  return createHostingClients({
    keys: { find: async () => ({ apiKey, fingerprint: apiKey, limit: 50 }) },
    settings: { baseUrl: sandbox.url, keyHeader: 'authorization', pathOverrides: {} },
    transport,
    rateLimiter,
    breaker,
    assertActive: async () => {},
  })('T1');
}

const reboot = (client = openClient()) =>
  client.call(
    performVpsAction,
    { params: { vps_name: 'VPS-10001' }, body: { action: 'reboot' } },
    { lane: 'people' },
  );

test('three timeouts of changes in a row refuse more of them, until a repeated read is answered', async () => {
  const service = createHostingDriver(sandbox.url);
  await service.fault('timeout', { method: 'POST', times: 3 });
  await service.fault('status:503', { method: 'GET' });
  for (let count = 0; count < 3; count += 1) {
    expect(breaker.assertAnswers).not.toThrow();
    await expect(reboot()).rejects.toMatchObject({ code: 'service_timeout' });
  }
  expect(breaker.assertAnswers).toThrow("didn't answer 3 calls in a row");
  expect(breaker.findProblem()).toContain('changes are refused');

  await expect.poll(breaker.isOpen).toBe(false);
  const reads = (await service.calls()).filter(({ method }) => method === 'GET');
  // An error of a gateway says nothing about the service.
  expect(reads.map(({ status }) => status)).toEqual([503, 200]);
  expect(breaker.assertAnswers).not.toThrow();
  await reboot();
});

test('an answer in between, and a service that cannot be reached, refuse nothing', async () => {
  const service = createHostingDriver(sandbox.url);
  await service.fault('timeout', { method: 'POST', times: 3 });
  await expect(reboot()).rejects.toThrow();
  await expect(reboot()).rejects.toThrow();
  await openClient().call(getStatus, {}, { lane: 'people' });
  await expect(reboot()).rejects.toThrow();
  expect(breaker.isOpen()).toBe(false);

  const { url } = sandbox;
  await sandbox.close();
  await expect(reboot()).rejects.toMatchObject({ code: 'service_unreachable' });
  expect(breaker.isOpen()).toBe(false);
  expect(breaker.findProblem()).toBe('the last 3 calls got no answer');
  sandbox = await createHostingSandbox({ port: Number(new URL(url).port) });
});
