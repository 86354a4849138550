import { listIpv4Addresses, listIpv6Addresses } from '../../hosting/endpoints/ip-addresses.ts';
import { HostingError } from '../../hosting/hosting-error.ts';
import {
  type IpResourceListReading,
  type IpResourceReading,
  readIpResources,
} from '../../hosting/readings/ip-resources.ts';
import type { ServiceRecord } from '../../hosting/readings/records.ts';
import type { Read } from '../operation.ts';

export interface AllResources {
  /** IPv4 first, each resource once, also where both lists are the same one. */
  readonly resources: readonly IpResourceReading[];
  readonly mayHaveMore: boolean;
  /** What came beside each list. */
  readonly rests: readonly ServiceRecord[];
  /** Settings of the lists that the service does not have at the path that they say. */
  readonly missing: readonly string[];
}

const lists = [
  { endpoint: listIpv4Addresses, kind: 'ipv4' },
  { endpoint: listIpv6Addresses, kind: 'ipv6' },
] as const;

/** Reads the IPv4 and the IPv6 resources. The API document leaves both paths open: one list alone is good, too. */
export async function readAllResources(read: Read, maxAgeMs = 0): Promise<AllResources> {
  const found = await Promise.all(
    lists.map(async ({ endpoint, kind }) => {
      const data = await unlessMissing(read(endpoint, {}, { maxAgeMs }));
      return data instanceof HostingError ? data : readIpResources(data, kind);
    }),
  );
  const readings = found.filter((one): one is IpResourceListReading => !(one instanceof HostingError));
  const failure = found.find((one) => one instanceof HostingError);
  if (readings.length === 0 && failure) throw failure;
  return {
    resources: eachOnce(readings.flatMap(({ resources }) => resources)),
    mayHaveMore: readings.some(({ mayHaveMore }) => mayHaveMore) || failure !== undefined,
    rests: readings.map(({ rest }) => rest),
    missing: lists.flatMap(({ endpoint }, index) =>
      found[index] instanceof HostingError && endpoint.openPath ? [endpoint.openPath] : [],
    ),
  };
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | HostingError> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof HostingError && error.code === 'not_found') return error;
    throw error;
  }
}

function eachOnce(resources: readonly IpResourceReading[]): readonly IpResourceReading[] {
  return [
    ...new Map(resources.map((one) => [`${one.kind} ${one.id ?? one.address}`, one])).values(),
  ].toSorted((a, b) => a.kind.localeCompare(b.kind));
}
