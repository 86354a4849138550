import { BlockList, isIP, isIPv4 } from 'node:net';

/** Returns the kind of an address or CIDR range, or undefined for anything else. */
export function detectIpKind(value: unknown): 'ipv4' | 'ipv6' | undefined {
  if (typeof value !== 'string') return undefined;
  const [address = '', prefix, ...more] = value.trim().split('/');
  if (more.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return undefined;
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
}

/** Returns whether a value is a CIDR range. */
export function isCidr(value: unknown): value is string {
  return typeof value === 'string' && value.includes('/') && detectIpKind(value) !== undefined;
}

/** Returns whether an address, with or without a prefix length, is in a CIDR range. */
export function isInCidr(address: string, range: string): boolean {
  const [network = '', prefix] = range.trim().split('/');
  const [host = ''] = address.trim().split('/');
  const family = isIPv4(network) ? 'ipv4' : 'ipv6';
  const length = Number(prefix);
  if (isIP(network) === 0 || isIP(host) !== isIP(network) || !(length <= (family === 'ipv4' ? 32 : 128))) {
    return false;
  }
  const block = new BlockList();
  block.addSubnet(network, length, family);
  return block.check(host, family);
}
