import ipaddr from 'ipaddr.js';
import type { Random } from './random.ts';

/** Describes a private network that VPS can be attached to. */
export interface Vlan {
  readonly id: string;
  readonly name: string;
  readonly ip_range: string;
  /** VLAN IPs by the VPS that they are associated with. */
  readonly addresses: Map<string, string>;
}

/** VLANs that an account may have. */
export const vlanQuota = 5;

/** Smallest private range: it leaves room for six VPS. */
const hostBitsMin = 3;

function numberOf(address: ipaddr.IPv4 | ipaddr.IPv6): bigint {
  return address.toByteArray().reduce((number, byte) => number * 256n + BigInt(byte), 0n);
}

function addressOf(number: bigint, byteCount: number): string {
  const bytes = Array.from({ length: byteCount }, (_, index) =>
    Number((number >> BigInt(8 * (byteCount - 1 - index))) & 255n),
  );
  return ipaddr.fromByteArray(bytes).toString();
}

/** Says what is wrong with the range of a new VLAN; `undefined` if nothing is. */
export function complaintAboutRange(range: string): string | undefined {
  const [address, prefixLength] = ipaddr.parseCIDR(range);
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  const network = family.networkAddressFromCIDR(range);
  const ends = [network.range(), family.broadcastAddressFromCIDR(range).range()];
  if (!ends.every((end) => end === 'private' || end === 'uniqueLocal'))
    return 'The range must be a private one.';
  if (address.toByteArray().length * 8 - prefixLength < hostBitsMin) return 'The range is too small.';
  if (network.toString() !== address.toString()) return `The range begins at ${network}, not at ${address}.`;
  return undefined;
}

/** Tells whether two ranges share an address. */
export function overlap(one: string, other: string): boolean {
  const [first, firstPrefix] = ipaddr.parseCIDR(one);
  const [second, secondPrefix] = ipaddr.parseCIDR(other);
  return first.kind() === second.kind() && first.match([second, Math.min(firstPrefix, secondPrefix)]);
}

/** Returns the lowest address of a VLAN's range that no VPS has; `undefined` when every one is taken. */
export function nextAddress(vlan: Vlan): string | undefined {
  const [network, prefixLength] = ipaddr.parseCIDR(vlan.ip_range);
  const byteCount = network.toByteArray().length;
  const lastOffset = (1n << BigInt(byteCount * 8 - prefixLength)) - 2n;
  const taken = new Set(vlan.addresses.values());
  for (let offset = 1n; offset <= lastOffset; offset++) {
    const address = addressOf(numberOf(network) + offset, byteCount);
    if (!taken.has(address)) return address;
  }
  return undefined;
}

/** Creates a VLAN with a new opaque identifier and nothing attached. */
export function createVlan(name: string, range: string, random: Random): Vlan {
  return { id: `vlan-${random.hex(8)}`, name, ip_range: range, addresses: new Map() };
}

/** Creates the VLANs of the beginning: one that the first VPS share, and an empty one. */
export function createVlans(vpsNames: readonly string[], random: Random): Vlan[] {
  const backend = createVlan('backend', '10.20.0.0/24', random);
  for (const [index, vpsName] of vpsNames.slice(0, 6).entries()) {
    backend.addresses.set(vpsName, `10.20.0.${index + 1}`);
  }
  return [backend, createVlan('staging', '10.30.0.0/24', random)];
}
