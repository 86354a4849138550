import ipaddr from 'ipaddr.js';
import type { Random } from './random.ts';

/** A private network that VPS can be attached to. */
export interface Vlan {
  readonly id: string;
  readonly name: string;
  readonly ip_range: string;
  /** The VLAN IP of each VPS. */
  readonly addresses: Map<string, string>;
}

/** Maximum number of VLANs in an account. */
export const vlanQuota = 5;

/** Minimum number of host bits. Leaves room for six VPS in the smallest private range. */
const minHostBits = 3;

function addressToNumber(address: ipaddr.IPv4 | ipaddr.IPv6): bigint {
  return address.toByteArray().reduce((number, byte) => number * 256n + BigInt(byte), 0n);
}

function numberToAddress(number: bigint, byteCount: number): string {
  const bytes = Array.from({ length: byteCount }, (_, index) =>
    Number((number >> BigInt(8 * (byteCount - 1 - index))) & 255n),
  );
  return ipaddr.fromByteArray(bytes).toString();
}

/** Returns why a new VLAN can't have this range, or undefined if it can. */
export function validateIpRange(range: string): string | undefined {
  const [address, prefixLength] = ipaddr.parseCIDR(range);
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  const network = family.networkAddressFromCIDR(range);
  const ends = [network.range(), family.broadcastAddressFromCIDR(range).range()];
  if (!ends.every((end) => end === 'private' || end === 'uniqueLocal')) return 'The range must be private.';
  if (address.toByteArray().length * 8 - prefixLength < minHostBits) return 'The range is too small.';
  if (network.toString() !== address.toString()) return `The range begins at ${network}, not at ${address}.`;
  return undefined;
}

/** Returns whether two ranges have an address in common. */
export function rangesOverlap(one: string, other: string): boolean {
  const [first, firstPrefix] = ipaddr.parseCIDR(one);
  const [second, secondPrefix] = ipaddr.parseCIDR(other);
  return first.kind() === second.kind() && first.match([second, Math.min(firstPrefix, secondPrefix)]);
}

/** Returns the lowest free address in a VLAN's range, or undefined if all are taken. */
export function findFreeAddress(vlan: Vlan): string | undefined {
  const [network, prefixLength] = ipaddr.parseCIDR(vlan.ip_range);
  const byteCount = network.toByteArray().length;
  const lastOffset = (1n << BigInt(byteCount * 8 - prefixLength)) - 2n;
  const taken = new Set(vlan.addresses.values());
  for (let offset = 1n; offset <= lastOffset; offset++) {
    const address = numberToAddress(addressToNumber(network) + offset, byteCount);
    if (!taken.has(address)) return address;
  }
  return undefined;
}

/** Creates a VLAN without VPS, with a new opaque ID. */
export function createVlan(name: string, range: string, random: Random): Vlan {
  return { id: `vlan-${random.hex(8)}`, name, ip_range: range, addresses: new Map() };
}

/** Creates the initial VLANs. The first contains the first VPS, the second is empty. */
export function createVlans(vpsNames: readonly string[], random: Random): Vlan[] {
  const backend = createVlan('backend', '10.20.0.0/24', random);
  for (const [index, vpsName] of vpsNames.slice(0, 6).entries()) {
    backend.addresses.set(vpsName, `10.20.0.${index + 1}`);
  }
  return [backend, createVlan('staging', '10.30.0.0/24', random)];
}
