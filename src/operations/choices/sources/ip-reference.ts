import { RackhandError } from '../../../errors.ts';
import type { IpResource } from '../../../hosting/payloads/ip-addresses.ts';
import { detectIpKind } from '../../../hosting/payloads/record.ts';

/** Refers to an IP address by the kind and ID that a call needs and, if known, by the address itself. */
export interface IpReference {
  readonly kind: 'ipv4' | 'ipv6';
  readonly id: string;
  readonly address?: string;
  /** The VPS that the address was attached to when it was chosen. */
  readonly vpsName?: string;
}

const referencePattern = /^(?:(?<address>\S+) )?(?<kind>ipv[46]):(?<id>\S+)(?: (?<vpsName>VPS-\S+))?$/i;

/**
 * Formats a reference as the value of a choice: `198.18.0.10 ipv4:501 VPS-10001`. The address and
 * the VPS are left out if unknown.
 */
export function formatIpReference({ kind, id, address, vpsName }: IpReference): string {
  const words = [address, `${kind}:${encodeURIComponent(id)}`, vpsName];
  return words.filter((word) => word !== undefined).join(' ');
}

/**
 * Parses a reference, or text that was typed while no list was available. In typed text, an integer
 * or IPv4 address means an IPv4 address, as in the API document. Anything else is the ID of an IPv6
 * address.
 */
export function parseIpReference(text: string): IpReference {
  const { address, kind, id, vpsName } = referencePattern.exec(text)?.groups ?? {};
  if (kind === undefined || id === undefined) {
    const isIpv4 = /^\d+$/.test(text) || detectIpKind(text) === 'ipv4';
    return { kind: isIpv4 ? 'ipv4' : 'ipv6', id: text };
  }
  return {
    kind: kind.toLowerCase() === 'ipv4' ? 'ipv4' : 'ipv6',
    id: tryDecode(id),
    ...(address !== undefined && { address }),
    ...(vpsName !== undefined && { vpsName }),
  };
}

/** Creates the reference to an address. Returns undefined if the service doesn't show a usable ID for it. */
export function toIpReference({ kind, id, address, vpsName }: IpResource): IpReference | undefined {
  if (id === undefined || !id.isWellFormed() || (kind === 'ipv4' && !isIpv4Id(id))) return undefined;
  return {
    kind,
    id,
    ...(address !== undefined && !/\s/.test(address) && { address }),
    ...(vpsName !== undefined && { vpsName }),
  };
}

export function formatIpName(reference: string): string {
  const { kind, id, address } = parseIpReference(reference);
  return address ?? `${kind}:${id}`;
}

/** Returns the ID to use in the call. Throws `input_invalid` if the reference contains no valid ID. */
export function parseIpId(reference: string): string {
  const { kind, id } = parseIpReference(reference);
  if (kind === 'ipv6' || isIpv4Id(id)) return id;
  const message = `Rackhand can't tell which address ${id} is. Give its full ID, such as ipv4:501.`;
  throw new RackhandError('input_invalid', message);
}

/**
 * Returns whether an ID is an integer, as in the API document, and small enough for a number to represent
 * it exactly.
 */
function isIpv4Id(id: string): boolean {
  return /^\d{1,15}$/.test(id);
}

function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
