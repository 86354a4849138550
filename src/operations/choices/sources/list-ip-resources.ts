import { listIpv4Addresses, listIpv6Addresses } from '../../../hosting/endpoints/ip-addresses.ts';
import { HostingError } from '../../../hosting/hosting-error.ts';
import { saysNone } from '../../../hosting/payloads/entries.ts';
import { type IpResource, readIpResources } from '../../../hosting/payloads/ip-addresses.ts';
import type { ServiceRecord } from '../../../hosting/payloads/record.ts';
import type { Read } from '../../define/read.ts';

export interface ListedIpResources {
  /** IPv4 addresses come first. Each address is listed once, even if both lists contain it. */
  readonly resources: readonly IpResource[];
  readonly hasMore: boolean;
  /** Whether the service explicitly says that there are no addresses. */
  readonly isNone: boolean;
  /** The fields of each response besides its addresses. */
  readonly otherFields: readonly ServiceRecord[];
  /** Names of the path settings for which the service answered "not found". */
  readonly unavailableSettings: readonly string[];
}

const lists = [
  { endpoint: listIpv4Addresses, kind: 'ipv4' },
  { endpoint: listIpv6Addresses, kind: 'ipv6' },
] as const;

/**
 * Reads the IPv4 and IPv6 addresses. One of the two paths may be missing, because the API document specifies
 * neither.
 */
export async function listIpResources(read: Read, maxAgeMs = 0): Promise<ListedIpResources> {
  const found = await Promise.all(
    lists.map(async ({ endpoint, kind }) => {
      const data = await orNotFound(read(endpoint, {}, { maxAgeMs }));
      return data instanceof HostingError ? data : { ...readIpResources(data, kind), isNone: saysNone(data) };
    }),
  );
  const readings = found.flatMap((one) => (one instanceof HostingError ? [] : [one]));
  const failure = found.find((one) => one instanceof HostingError);
  if (readings.length === 0 && failure) throw failure;
  return {
    resources: deduplicate(readings.flatMap(({ resources }) => resources)),
    hasMore: readings.some(({ hasMore }) => hasMore) || failure !== undefined,
    isNone: readings.every(({ isNone }) => isNone),
    otherFields: readings.map(({ otherFields }) => otherFields),
    unavailableSettings: lists.flatMap(({ endpoint }, index) =>
      found[index] instanceof HostingError && endpoint.pathSetting ? [endpoint.pathSetting] : [],
    ),
  };
}

async function orNotFound<T>(reading: Promise<T>): Promise<T | HostingError> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof HostingError && error.code === 'not_found') return error;
    throw error;
  }
}

function deduplicate(resources: readonly IpResource[]): readonly IpResource[] {
  return [
    ...new Map(resources.map((one) => [`${one.kind} ${one.id ?? one.address}`, one])).values(),
  ].toSorted((a, b) => a.kind.localeCompare(b.kind));
}
