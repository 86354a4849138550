import { RackhandError } from '../../errors.ts';
import { contract } from '../../hosting/endpoints/contract.ts';
import type { GetEndpoint } from '../../hosting/endpoints/endpoint.ts';
import { findMappings } from '../../hosting/payloads/found-mappings.ts';
import type { PayloadEndpoint } from '../../hosting/payloads/known-values.ts';
import { readVpsList } from '../../hosting/payloads/vps.ts';
import type { ServiceProfileStore } from './service-profile-store.ts';

/** Calls an endpoint whose payload has known values. `vpsName` is used only if the endpoint's path contains one. */
export type CallEndpoint = (endpoint: PayloadEndpoint, vpsName: string) => Promise<unknown>;

/** Account-wide endpoints, except `listVps`. */
const accountEndpoints = ['listIpv4Addresses', 'getWebgate', 'listSshMappings'] as const;

const vpsEndpoints = [
  'getVps',
  'getLiveMonitoring',
  'getRrdMonitoring',
  'listSnapshots',
  'listVlans',
  'listVpsIpAddresses',
  'getReinstallOptions',
  'getBackupFtp',
] as const;

/**
 * Reads one payload of each kind, and stores the payload's fields and the known values found in them.
 * Returns the endpoints that failed.
 */
export function learnService(
  store: Pick<ServiceProfileStore, 'savePayload'>,
  { teamId, nowMs, call }: { readonly teamId: string; readonly nowMs: number; readonly call: CallEndpoint },
): Promise<readonly PayloadEndpoint[]> {
  return sampleService(async (endpoint, vpsName) => {
    const data = await call(endpoint, vpsName);
    const found = findMappings(endpoint, data, vpsName);
    // A payload without entries says nothing about the fields of its entries.
    if (found.fields.length + found.mappings.length > 0)
      await store.savePayload(teamId, { endpoint, ...found, learnedMs: nowMs });
    return data;
  });
}

/**
 * Calls each endpoint whose payload has known values once, at most 12 endpoints. Returns those that
 * failed, for example because the key lacks a permission.
 */
export async function sampleService(call: CallEndpoint): Promise<readonly PayloadEndpoint[]> {
  const failed: PayloadEndpoint[] = [];
  const attempt = async (endpoint: PayloadEndpoint, vpsName: string): Promise<unknown> => {
    try {
      return await call(endpoint, vpsName);
    } catch (error) {
      if (!(error instanceof RackhandError)) throw error;
      failed.push(endpoint);
      return undefined;
    }
  };
  const vpsName = await readSampleVps((endpoint) => attempt(endpoint, ''));
  for (const endpoint of accountEndpoints) await attempt(endpoint, '');
  for (const endpoint of vpsName === '' ? [] : vpsEndpoints) await attempt(endpoint, vpsName);
  return failed;
}

/** Returns the first VPS that is in the most common state, or an empty string if there are no VPS. */
export async function readSampleVps(call: (endpoint: 'listVps') => Promise<unknown>): Promise<string> {
  const byState = Map.groupBy(readVpsList(await call('listVps')).vps, ({ state }) => state);
  const [most] = [...byState.values()].toSorted((a, b) => b.length - a.length);
  return most?.[0]?.name ?? '';
}

/** Returns the endpoint and input for a call that returns known values. */
export function toPayloadCall(endpoint: PayloadEndpoint, vpsName: string) {
  return {
    endpoint: contract[endpoint] as GetEndpoint,
    input: {
      params: { vps_name: vpsName },
      ...(endpoint === 'getRrdMonitoring' && { query: { range: 'hour' } }),
    },
  };
}
