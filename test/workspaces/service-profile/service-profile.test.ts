import { describe, expect, test } from 'vitest';
import type { HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import { getLiveMonitoring } from '../../../src/hosting/endpoints/monitoring.ts';
import { listVps } from '../../../src/hosting/endpoints/vps.ts';
import type { FieldMapping } from '../../../src/hosting/payloads/field-mapping.ts';
import { readLiveMetrics } from '../../../src/hosting/payloads/live-metrics.ts';
import { readVpsList } from '../../../src/hosting/payloads/vps.ts';
import { learnService, toPayloadCall } from '../../../src/workspaces/service-profile/sample-service.ts';
import { createPayloadMapper } from '../../../src/workspaces/service-profile/service-profile.ts';
import { createServiceProfileStore } from '../../../src/workspaces/service-profile/service-profile-store.ts';
import { databases, useTestDatabase } from '../../db/test-database.ts';
import { backgroundCall, createClientHarness } from '../../hosting/client/client-harness.ts';
import { respond, startTestHttpServer } from '../../hosting/client/test-servers.ts';

const params = { vps_name: 'VPS-10001' };

/** Tests of what Rackhand learns about the service's payloads, and of field mappings. */
describe.each(databases)('the service profile in $name', ({ start }) => {
  const database = useTestDatabase(start);

  /** Starts a service whose payload can be changed, and a client that learns from it. */
  async function startService(payload: unknown, fileMappings?: readonly FieldMapping[]) {
    const state = { payload };
    const server = await startTestHttpServer((response) =>
      respond(response, 200, { success: true, data: state.payload }),
    );
    const { client } = await createClientHarness(server.url);
    const store = createServiceProfileStore(database.db);
    const mapPayload = createPayloadMapper(store, fileMappings);
    const wrapped: Pick<HostingClient, 'call'> = {
      call: async (endpoint, input, options) =>
        mapPayload('T1', endpoint, input, await client.call(endpoint, input, options)),
    };
    return {
      state,
      store,
      server,
      learn: () =>
        learnService(store, {
          teamId: 'T1',
          nowMs: 1_000_000,
          call(name, vpsName) {
            const { endpoint, input } = toPayloadCall(name, vpsName);
            return wrapped.call(endpoint, input, backgroundCall);
          },
        }),
      async readCpu() {
        return readLiveMetrics(await wrapped.call(getLiveMonitoring, { params }, backgroundCall)).cpuPercent;
      },
      readList: () => wrapped.call(listVps, {}, backgroundCall),
      async findField(value: string) {
        const payloads = await store.listPayloads('T1');
        return payloads.flatMap(({ mappings }) => mappings).find((one) => one.value === value)?.fields;
      },
      setMapping: (mapping: FieldMapping) => store.saveMapping('T1', { ...mapping, setBy: 'U1', setMs: 1 }),
    };
  }

  test('learns one payload of each kind, and again what was stored but cannot be read', async () => {
    const { learn, store, findField } = await startService({ vps: [{ name: 'VPS-10001', state: 'on' }] });
    await learn();
    expect(await findField('vps.list_state')).toEqual(['vps[].state']);
    await database.db.updateTable('service_payload').set({ findings: '[{"value":1}]' }).execute();
    expect(await store.listPayloads('T1')).toEqual([]);
    await learn();
    expect(await findField('vps.list_state')).toEqual(['vps[].state']);
  });

  test('forgets fields that are gone, unless a payload is empty', async () => {
    const { state, learn, findField } = await startService({ vps: [{ name: 'VPS-10001', state: 'on' }] });
    await learn();
    state.payload = { vps: [] };
    await learn();
    expect(await findField('vps.list_state')).toEqual(['vps[].state']);
    state.payload = { servers: [{ name: 'VPS-10001', power_state: 'on' }] };
    await learn();
    expect(await findField('vps.list_state')).toEqual(['servers[].power_state']);
  });

  test('learns from a VPS in the state that most VPS have', async () => {
    const states = ['stopped', 'running', 'running'];
    const { learn, server } = await startService({
      vps: states.map((state, index) => ({ name: `VPS-1000${index}`, state })),
    });
    await learn();
    expect(server.requests.some(({ path }) => path === '/v1/vps/VPS-10001/monitoring/live')).toBe(true);
  });

  test('applies a field mapping at once, and only in its workspace', async () => {
    const { store, readCpu, setMapping } = await startService({ cpu_percent: 7, last_pct: 93 });
    await setMapping({ value: 'live.cpu', field: 'last_pct' });
    expect(await readCpu()).toBe(93);
    expect(await store.removeMappings('T2')).toBe(0);
    expect(await store.removeMappings('T1', 'live.cpu')).toBe(1);
    expect(await readCpu()).toBe(7);
  });

  test('follows the file instead, if there is one', async () => {
    const file = [{ value: 'live.cpu', field: 'processor_percent' }];
    const { readCpu } = await startService({ cpu_percent: 7, processor_percent: 50 }, file);
    expect(await readCpu()).toBe(50);
  });

  test('keeps that a list with a field mapping has further pages', async () => {
    const vps = [{ name: 'VPS-10001', mode: 'up' }];
    const { readList, setMapping } = await startService({ vps, next_page: 'https://elsewhere.example' });
    await setMapping({ value: 'vps.list_state', field: 'vps[].mode' });
    const list = readVpsList(await readList());
    expect(list.vps.map(({ state }) => state)).toEqual(['up']);
    expect(list.hasMore).toBe(true);
  });
});
