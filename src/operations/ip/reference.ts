import { RackhandError } from '../../error.ts';
import { addressKind } from '../../hosting/readings/addresses.ts';
import type { IpResourceReading } from '../../hosting/readings/ip-resources.ts';

/** What an input names an IP resource by: what the call needs, and what people know it by where that is known. */
export interface IpReference {
  readonly kind: 'ipv4' | 'ipv6';
  readonly id: string;
  readonly address?: string;
  /** The VPS that it was attached to when it was chosen. */
  readonly vpsName?: string;
}

const written = /^(?:(?<address>\S+) )?(?<kind>ipv[46]):(?<id>\S+)(?: (?<vpsName>VPS-\S+))?$/i;

/**
 * Writes a reference as one text, which is the value of a choice: `198.18.0.10 ipv4:501 VPS-10001`, the address and the VPS where they
 * are known.
 */
export function writeIpReference({ kind, id, address, vpsName }: IpReference): string {
  const words = [address, `${kind}:${encodeURIComponent(id)}`, vpsName];
  return words.filter((word) => word !== undefined).join(' ');
}

/**
 * Reads a reference. Of anything else, which is what a person wrote where no list could tell what it is, makes the best: an integer is an
 * IPv4 resource, as in the API document, and the identifier of an IPv6 resource is any text.
 */
export function readIpReference(text: string): IpReference {
  const { address, kind, id, vpsName } = written.exec(text)?.groups ?? {};
  if (kind === undefined || id === undefined) {
    const isIpv4 = /^\d+$/.test(text) || addressKind(text) === 'ipv4';
    return { kind: isIpv4 ? 'ipv4' : 'ipv6', id: text };
  }
  return {
    kind: kind.toLowerCase() === 'ipv4' ? 'ipv4' : 'ipv6',
    id: decoded(id),
    ...(address !== undefined && { address }),
    ...(vpsName !== undefined && { vpsName }),
  };
}

/** Makes the reference of a resource; none where the service shows no identifier that a call could name it by. */
export function ipReferenceOf({ kind, id, address, vpsName }: IpResourceReading): IpReference | undefined {
  if (id === undefined || !id.isWellFormed() || (kind === 'ipv4' && !isIpv4Id(id))) return undefined;
  return {
    kind,
    id,
    ...(address !== undefined && !/\s/.test(address) && { address }),
    ...(vpsName !== undefined && { vpsName }),
  };
}

/** Names the resource of a reference for people. */
export function ipNameOf(reference: string): string {
  const { kind, id, address } = readIpReference(reference);
  return address ?? `${kind}:${id}`;
}

/** Gives the identifier that a call needs. Throws `input_invalid` for what cannot be one. */
export function ipIdOf(reference: string): string {
  const { kind, id } = readIpReference(reference);
  if (kind === 'ipv6' || isIpv4Id(id)) return id;
  const message = `It is not known which resource ${id} is. Give its identifier instead, as in ipv4:501.`;
  throw new RackhandError('input_invalid', message);
}

/** An integer, as the API document says; the path takes no more digits than a number holds. */
function isIpv4Id(id: string): boolean {
  return /^\d{1,15}$/.test(id);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
