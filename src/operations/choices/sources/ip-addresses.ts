import type { IpResource } from '../../../hosting/payloads/ip-addresses.ts';
import type { Choice, ChoiceSource } from '../../define/arguments/choice-source.ts';
import { formatIpReference, toIpReference } from './ip-reference.ts';
import { listIpResources } from './list-ip-resources.ts';

/** Offers the IPv4 and IPv6 addresses that are attached, or whose attachment is unknown. */
export const attachedIpChoices = createIpSource({
  name: 'attached-ips',
  noun: 'an attached IP address',
  formatNotFound: (name) => `${name} isn't in the service's list of attached IP addresses.`,
  isMeant: ({ isAttached }) => isAttached !== false,
});

/** Offers the IPv4 and IPv6 addresses that are free, or whose attachment is unknown. */
export const freeIpChoices = createIpSource({
  name: 'free-ips',
  noun: 'a free IP address',
  formatNotFound: (name) => `${name} isn't in the service's list of free IP addresses.`,
  isMeant: ({ isAttached }) => isAttached !== true,
});

function createIpSource({
  isMeant,
  ...texts
}: Pick<ChoiceSource, 'name' | 'noun' | 'formatNotFound'> & {
  readonly isMeant: (resource: IpResource) => boolean;
}): ChoiceSource {
  return {
    ...texts,
    listStep: () => ({ label: 'All IP Addresses', operation: 'ip list', input: {} }),
    async load(read, _, maxAgeMs) {
      const { resources, hasMore } = await listIpResources(read, maxAgeMs);
      return {
        choices: resources.filter(isMeant).flatMap(toChoices),
        isComplete: resources.length > 0 && !hasMore,
      };
    },
  };
}

/**
 * Returns the choice for an address, or none if the address has no usable ID. Its aliases are the address
 * without prefix length, and the ID with and without its kind.
 */
function toChoices(resource: IpResource): readonly Choice[] {
  const reference = toIpReference(resource);
  if (!reference) return [];
  const { kind, id, address, vpsName } = reference;
  const attachment = resource.isAttached === false ? `free, ${kind}:${id}` : `${kind}:${id}`;
  const [host] = address?.split('/') ?? [];
  return [
    {
      value: formatIpReference(reference),
      text: address ?? id,
      aliases: [id, `${kind}:${id}`, ...(host === undefined ? [] : [host])],
      hint: vpsName === undefined ? attachment : `on ${vpsName}`,
    },
  ];
}
