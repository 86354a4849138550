import type { Endpoint } from '../../endpoints/endpoint.ts';
import { listIpv4Addresses, listIpv6Addresses } from '../../endpoints/ip-addresses.ts';
import { listSshMappings } from '../../endpoints/proxy-ssh.ts';
import { listSnapshots } from '../../endpoints/snapshots.ts';
import { listVlans } from '../../endpoints/vlans.ts';
import { getReinstallOptions, listVps, listVpsIpAddresses } from '../../endpoints/vps.ts';
import { getWebgate } from '../../endpoints/webgate.ts';
import { readIpResources } from './network/ip-resources.ts';
import { readSshMappings } from './network/ssh-mappings.ts';
import { readVlans } from './network/vlans.ts';
import { readWebgate } from './network/webgate.ts';
import { readReinstallOptions } from './vps/reinstall-options.ts';
import { readSnapshots } from './vps/snapshots.ts';
import { readVpsList } from './vps/vps.ts';

/** Returns a string for each entry of a list. Different entries have different strings. */
export type ListEntries = (data: unknown) => readonly string[];

const ipAddresses: ListEntries = (data) =>
  readIpResources(data).resources.map(({ kind, id, address }) => [kind, id, address].join(' '));

const listEntries = new Map<Endpoint, ListEntries>([
  [listVps, (data) => readVpsList(data).vps.map(({ name, record: { id } }) => `${name} ${id}`)],
  [listVpsIpAddresses, ipAddresses],
  [listIpv4Addresses, ipAddresses],
  [listIpv6Addresses, ipAddresses],
  [listSnapshots, (data) => readSnapshots(data).snapshots.map(({ name }) => name)],
  [listVlans, (data) => readVlans(data).vlans.map(({ id }) => id)],
  [getReinstallOptions, (data) => readReinstallOptions(data).operatingSystems.map(({ os }) => os)],
  [
    listSshMappings,
    (data) => readSshMappings(data).mappings.map(({ vpsName, externalPort }) => `${vpsName} ${externalPort}`),
  ],
  [
    getWebgate,
    (data) => {
      const { domains, ports, loadBalancers } = readWebgate(data);
      return [
        ...domains.map(({ domainName }) => `domain ${domainName}`),
        ...ports.map(({ externalPort }) => `port ${externalPort}`),
        ...loadBalancers.map(({ domainName }) => `balancer ${domainName}`),
      ];
    },
  ],
]);

/**
 * Returns the function that identifies the entries of an endpoint's list. Returns undefined if the
 * endpoint has no list.
 */
export function findListEntries(endpoint: Endpoint): ListEntries | undefined {
  return listEntries.get(endpoint);
}
