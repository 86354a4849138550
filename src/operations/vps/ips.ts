import { listVpsIpAddresses } from '../../hosting/endpoints/vps.ts';
import { type IpResourceReading, readIpResources } from '../../hosting/readings/ip-resources.ts';
import { vpsArgument } from '../argument.ts';
import { defineRead } from '../operation.ts';
import type { Value } from '../outcome.ts';
import { tellResult } from '../tell-result.ts';

const kinds = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;

export const ips = defineRead({
  name: 'ips',
  heading: 'IP addresses of a VPS',
  summary: 'List the IP addresses of a VPS',
  arguments: { vps: vpsArgument() },
  uses: [listVpsIpAddresses],
  async run({ read }, { vps }) {
    const data = await read(listVpsIpAddresses, { params: { vps_name: vps } });
    const { resources, mayHaveMore, rest } = readIpResources(data);
    const isEmpty = resources.length === 0;
    return {
      title: isEmpty ? `${vps} has no IP addresses` : `IP addresses of ${vps}`,
      ...(!isEmpty && { table: { columns: ['Kind', 'Address', 'ID'], rows: resources.map(rowOf) } }),
      ...tellResult(rest, { without: ['vps_name'] }),
      notes: [
        ...(mayHaveMore ? ['The service hints at further pages: there may be more than these.'] : []),
        ...(isEmpty ? ['The list of all IP addresses shows which are free to be attached.'] : []),
      ],
      next: [
        { label: 'All IP Addresses', operation: 'ip list', input: {} },
        { label: 'Attach an IP Address', operation: 'ip attach', input: { vps }, opensForm: true },
        { label: 'Show', operation: 'show', input: { vps } },
      ],
    };
  },
});

function rowOf({ kind, address, id }: IpResourceReading): readonly Value[] {
  return [kinds[kind], address === undefined ? 'not shown' : { code: address }, id ?? '–'];
}
