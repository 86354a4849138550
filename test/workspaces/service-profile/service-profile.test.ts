import pino from 'pino';
import { describe, expect, test } from 'vitest';
import type { HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import { getLiveMonitoring } from '../../../src/hosting/endpoints/monitoring.ts';
import { listVps } from '../../../src/hosting/endpoints/vps.ts';
import type { FieldMapping } from '../../../src/hosting/payloads/field-mapping.ts';
import { readLiveMetrics } from '../../../src/hosting/payloads/live-metrics.ts';
import { readVpsList } from '../../../src/hosting/payloads/vps.ts';
import { createServiceProfile } from '../../../src/workspaces/service-profile/service-profile.ts';
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
    const state = { payload, nowMs: 1_000_000 };
    const server = await startTestHttpServer((response) =>
      respond(response, 200, { success: true, data: state.payload }),
    );
    const { client } = await createClientHarness(server.url);
    const store = createServiceProfileStore(database.db);
    const log = pino({ level: 'silent' });
    const profile = createServiceProfile({ store, fileMappings, log, now: () => state.nowMs });
    const wrapped: Pick<HostingClient, 'call'> = {
      call: async (endpoint, input, options) =>
        profile.mapPayload('T1', endpoint, input, await client.call(endpoint, input, options)),
    };
    return {
      state,
      store,
      readLive: () => wrapped.call(getLiveMonitoring, { params }, backgroundCall),
      async readCpu() {
        return readLiveMetrics(await wrapped.call(getLiveMonitoring, { params }, backgroundCall)).cpuPercent;
      },
      readList: () => wrapped.call(listVps, {}, backgroundCall),
      async findField(value: string) {
        const payloads = await store.listPayloads('T1');
        return payloads.flatMap(({ mappings }) => mappings).find((one) => one.value === value)?.fields;
      },
      setMapping: (mapping: FieldMapping) =>
        store.saveMapping('T1', { ...mapping, setBy: 'U1', setMs: 1, missingSinceMs: null }),
    };
  }

  test('learns from a payload that is read anyway', async () => {
    const { readList, findField } = await startService({ vps: [{ name: 'VPS-10001', state: 'on' }] });
    expect(await readList()).toEqual({ vps: [{ name: 'VPS-10001', state: 'on' }] });
    expect(await findField('vps.list_state')).toEqual(['vps[].state']);
  });

  test.each(['{', '[{"value":1}]'])(
    'learns again if what was stored cannot be read: %s',
    async (findings) => {
      const { state, store, readList, findField } = await startService({
        vps: [{ name: 'VPS-10001', state: 'on' }],
      });
      await readList();
      await database.db.updateTable('service_payload').set({ findings }).execute();
      expect(await store.listPayloads('T1')).toEqual([]);
      state.payload = { vps: [{ name: 'VPS-10001', state: 'on', memory: 2_048 }] };
      await readList();
      expect(await findField('vps.list_state')).toEqual(['vps[].state']);
    },
  );

  test('learns again when the payload has other fields', async () => {
    const { state, readList, findField } = await startService({
      vps: [{ name: 'VPS-10001', state: 'on' }],
    });
    await readList();
    state.payload = { servers: [{ name: 'VPS-10001', power_state: 'on' }] };
    await readList();
    expect(await findField('vps.list_state')).toEqual(['servers[].power_state']);
  });

  test('keeps fields that only a running VPS has while it is stopped', async () => {
    const { state, readLive, findField } = await startService({ status: 'running', cpu_percent: 12 });
    await readLive();
    state.payload = { status: 'stopped' };
    await readLive();
    expect(await findField('live.cpu')).toEqual(['cpu_percent']);
  });

  test('applies a field mapping at once, and only in its workspace', async () => {
    const { store, readCpu, setMapping } = await startService({ cpu_percent: 7, last_pct: 93 });
    await setMapping({ value: 'live.cpu', field: 'last_pct' });
    expect(await readCpu()).toBe(93);
    expect(await store.removeMappings('T2')).toBe(0);
    expect(await store.removeMappings('T1', 'live.cpu')).toBe(1);
    expect(await readCpu()).toBe(7);
  });

  test('stores since when the field of a field mapping is missing, until it is back', async () => {
    const { state, store, readCpu, setMapping } = await startService({ cpu_percent: 7 });
    await setMapping({ value: 'live.cpu', field: 'processor_percent' });
    expect(await readCpu()).toBeUndefined();
    expect(await store.listMappings('T1')).toMatchObject([{ missingSinceMs: 1_000_000 }]);
    state.payload = { cpu_percent: 7, processor_percent: 50 };
    expect(await readCpu()).toBe(50);
    expect(await store.listMappings('T1')).toMatchObject([{ missingSinceMs: null }]);
  });

  test('follows the file instead, if there is one, and learns nothing', async () => {
    const file = [{ value: 'live.cpu', field: 'processor_percent' }];
    const { store, readCpu } = await startService({ cpu_percent: 7, processor_percent: 50 }, file);
    expect(await readCpu()).toBe(50);
    expect(await store.listPayloads('T1')).toEqual([]);
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
