import { contract } from '../../hosting/endpoints/contract.ts';
import type { Endpoint } from '../../hosting/endpoints/endpoint.ts';
import type { FieldMapping } from '../../hosting/payloads/field-mapping.ts';
import { findKnownValue, type PayloadEndpoint, payloadNames } from '../../hosting/payloads/known-values.ts';
import { applyMappings } from '../../hosting/payloads/matcher.ts';
import { findPagesRead, setPagesRead } from '../../hosting/payloads/pages.ts';
import type { MapPayload } from '../hosting-clients.ts';
import type { ServiceProfileStore } from './service-profile-store.ts';

const payloadEndpoints = new Map<Endpoint, PayloadEndpoint>([
  ...(Object.keys(payloadNames) as PayloadEndpoint[]).map((name) => [contract[name], name] as const),
  // IPv4 and IPv6 addresses have the same known values.
  [contract.listIpv6Addresses, 'listIpv4Addresses'],
]);

/**
 * Returns a function that applies field mappings to a payload: those set by the workspace's admins, or
 * `fileMappings` from the file that HOSTING_PROFILE names.
 */
export function createPayloadMapper(
  store: Pick<ServiceProfileStore, 'listMappings'>,
  fileMappings?: readonly FieldMapping[],
): MapPayload {
  /** Caches mapped payloads by original payload, because a list can have 10,000 VPS. */
  const mapped = new WeakMap<object, { readonly key: string; readonly data: object }>();
  return async (teamId, endpoint, _input, data) => {
    const name = payloadEndpoints.get(endpoint);
    if (name === undefined || typeof data !== 'object' || data === null) return data;
    const all: readonly FieldMapping[] = fileMappings ?? (await store.listMappings(teamId));
    const own = all.filter(({ value }) => findKnownValue(value)?.endpoint === name);
    if (own.length === 0) return data;
    const key = JSON.stringify(own.map(({ value, field, unit }) => [value, field, unit]));
    const known = mapped.get(data);
    const result = known?.key === key ? known : { key, data: applyMappings<object>(data, own) };
    mapped.set(data, result);
    const pages = findPagesRead(data);
    if (pages) setPagesRead(result.data, pages);
    return result.data as typeof data;
  };
}
