import type { Collection } from './collection.ts';
import type { Random } from './random.ts';

const unattachedCount = 4;

/** An IP address that can be attached to a VPS. */
export interface IpResource<Id extends string | number> {
  readonly id: Id;
  readonly address: string;
  readonly prefix_length: number;
  /** The VPS that the address is attached to. */
  vps_name: string | null;
}

export type IpResources<Id extends string | number> = Collection<IpResource<Id>>;

/** Lists the addresses of one kind that are attached to a VPS. */
export function listAttached<Id extends string | number>(
  vpsName: string,
  resources: IpResources<Id>,
): IpResource<Id>[] {
  return resources.all().filter(({ vps_name }) => vps_name === vpsName);
}

/** Returns each VPS's first attached address. */
export function firstAddresses<Id extends string | number>(
  resources: IpResources<Id>,
  vpsNames: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  for (const { vps_name, address } of resources.all()) {
    if (addresses.size === vpsNames.size) break;
    if (vps_name !== null && vpsNames.has(vps_name) && !addresses.has(vps_name))
      addresses.set(vps_name, address);
  }
  return addresses;
}

/** Assigns addresses: one to each VPS, and a second one to the first VPS. Leaves some unattached. */
function assignOwners(vpsNames: readonly string[]): (string | null)[] {
  return [...vpsNames, ...vpsNames.slice(0, 1), ...Array<null>(unattachedCount).fill(null)];
}

/** Creates IPv4 addresses from 198.18.0.0/15, which RFC 2544 reserves for benchmarks. */
export function createIpv4Resources(vpsNames: readonly string[]): IpResource<number>[] {
  return assignOwners(vpsNames).map((vps_name, index) => {
    const host = index + 10;
    return { id: 501 + index, address: `198.18.${host >> 8}.${host & 255}`, prefix_length: 32, vps_name };
  });
}

/** Creates IPv6 addresses from 2001:db8::/32, which RFC 3849 reserves for documentation. */
export function createIpv6Resources(vpsNames: readonly string[], random: Random): IpResource<string>[] {
  return assignOwners(vpsNames).map((vps_name, index) => ({
    id: `ip6-${random.hex(8)}`,
    address: `2001:db8:${(index + 16).toString(16)}::1`,
    prefix_length: 64,
    vps_name,
  }));
}
