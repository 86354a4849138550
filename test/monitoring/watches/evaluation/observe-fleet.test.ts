import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { RackhandError } from '../../../../src/errors.ts';
import type { CallData } from '../../../../src/hosting/client/hosting-client.ts';
import type { GetEndpoint } from '../../../../src/hosting/endpoints/endpoint.ts';
import { observeFleet, observeVps } from '../../../../src/monitoring/watches/evaluation/observe-fleet.ts';
import type { Read } from '../../../../src/operations/define/read.ts';

const atMs = Date.parse('2026-11-23T08:00Z');
const names = Array.from({ length: 60 }, (_, index) => `VPS-${10_001 + index}`);

/** Returns a service that fails for one of the VPS, and the calls that it received. */
function createFakeService(failing: string, code: RackhandError['code']) {
  const asked: string[] = [];
  let open = 0;
  const read: Read = async <E extends GetEndpoint>(endpoint: E, input: object) => {
    const { params } = input as { readonly params: { readonly vps_name: string } };
    asked.push(params.vps_name);
    open += 1;
    await turn();
    open -= 1;
    if (params.vps_name === failing) throw new RackhandError(code, 'It failed.');
    return endpoint.data.parse({ status: 'running', cpu_percent: 50 }) as CallData<E>;
  };
  return { read, asked, openCount: () => open };
}

const { signal } = new AbortController();

test('a VPS that fails is unknown, and the others are read', async () => {
  const { read } = createFakeService('VPS-10003', 'service_timeout');
  const observed = await observeVps(names, { read, atMs, signal });
  expect(observed.size).toBe(60);
  expect(observed.get('VPS-10003')).toEqual({ atMs, live: undefined, failure: 'noAnswer' });
  expect(observed.get('VPS-10004')?.live?.state).toBe('running');
});

test.each([
  [{ vps: [] }, 'listed'],
  [{ message: 'Maintenance' }, 'unread'],
  [{ vps: [{ label: 'web' }] }, 'unread'],
])('the list %j is %s, because only an empty list says that there are no VPS', async (data, kind) => {
  const read: Read = async <E extends GetEndpoint>() => data as CallData<E>;
  expect(await observeFleet(read, new Map())).toMatchObject({ kind });
});

test('no further VPS is read after the key was rejected', async () => {
  const { read, asked, openCount } = createFakeService('VPS-10003', 'key_rejected');
  await expect(observeVps(names, { read, atMs, signal })).rejects.toMatchObject({ code: 'key_rejected' });
  await expect.poll(openCount).toBe(0);
  // Two calls were answered, so ten had started when the key was rejected.
  expect(asked.length).toBeLessThanOrEqual(10);
});
