import type { IpResourceReading } from '../../hosting/readings/ip-resources.ts';
import { readAllResources } from '../ip/all-resources.ts';
import { ipReferenceOf, writeIpReference } from '../ip/reference.ts';
import type { Choice, Source } from './source.ts';

/** The IPv4 and IPv6 resources that are attached to a VPS. */
export const attachedIps = ipSource({
  name: 'attached-ips',
  noun: 'an attached IP address',
  unknown: (name) => `No IP address ${name} is attached to a VPS.`,
  isMeant: ({ vpsName }) => vpsName !== undefined,
});

/** The IPv4 and IPv6 resources that are free. */
export const freeIps = ipSource({
  name: 'free-ips',
  noun: 'a free IP address',
  unknown: (name) => `No IP address ${name} is free. One that is attached must be detached first.`,
  isMeant: ({ vpsName }) => vpsName === undefined,
});

function ipSource({
  isMeant,
  ...texts
}: Pick<Source, 'name' | 'noun' | 'unknown'> & {
  readonly isMeant: (resource: IpResourceReading) => boolean;
}): Source {
  return {
    ...texts,
    async load(read, _, maxAgeMs) {
      const { resources, mayHaveMore } = await readAllResources(read, maxAgeMs);
      return {
        choices: resources.filter(isMeant).flatMap(choicesOf),
        isComplete: resources.length > 0 && !mayHaveMore,
      };
    },
  };
}

/** A resource is called by its address, with or without its prefix length, and by its identifier, with or without its kind. */
function choicesOf(resource: IpResourceReading): readonly Choice[] {
  const reference = ipReferenceOf(resource);
  if (!reference) return [];
  const { kind, id, address, vpsName } = reference;
  const [host] = address?.split('/') ?? [];
  return [
    {
      value: writeIpReference(reference),
      text: address ?? id,
      aliases: [id, `${kind}:${id}`, ...(host === undefined ? [] : [host])],
      hint: vpsName === undefined ? `free, ${kind}:${id}` : `on ${vpsName}`,
    },
  ];
}
