import { RackhandError } from '../../errors.ts';
import { contract } from '../../hosting/endpoints/contract.ts';
import type { GetEndpoint } from '../../hosting/endpoints/endpoint.ts';
import type { PayloadEndpoint } from '../../hosting/payloads/known-values.ts';
import { readVpsList } from '../../hosting/payloads/vps.ts';

/** Calls an endpoint that has known values. If the endpoint's path names a VPS, calls it for that VPS. */
export type CallEndpoint = (endpoint: PayloadEndpoint, vpsName: string) => Promise<unknown>;

/** Endpoints of the whole account, except `listVps`. */
const accountEndpoints = ['listIpv4Addresses', 'getWebgate', 'listSshMappings'] as const;

/** Endpoints of one VPS. */
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
 * Calls each endpoint that has known values once, at most 12 in all, so that their payloads are
 * learned. Returns the endpoints that didn't answer, such as those that the key isn't permitted to
 * read.
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
  const vpsName = await readFirstVps((endpoint) => attempt(endpoint, ''));
  for (const endpoint of accountEndpoints) await attempt(endpoint, '');
  for (const endpoint of vpsName === '' ? [] : vpsEndpoints) await attempt(endpoint, vpsName);
  return failed;
}

/** Returns the name of the first VPS in the list, or an empty string if there is none. */
export async function readFirstVps(call: (endpoint: 'listVps') => Promise<unknown>): Promise<string> {
  return readVpsList(await call('listVps')).vps[0]?.name ?? '';
}

/** Returns the input of a call to an endpoint that has known values. */
export function toPayloadCall(endpoint: PayloadEndpoint, vpsName: string) {
  return {
    endpoint: contract[endpoint] as GetEndpoint,
    input: {
      params: { vps_name: vpsName },
      ...(endpoint === 'getRrdMonitoring' && { query: { range: 'hour' } }),
    },
  };
}
