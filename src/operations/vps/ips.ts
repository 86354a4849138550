import { listVpsIpAddresses } from '../../hosting/endpoints/vps.ts';
import { type IpResource, readIpResources } from '../../hosting/profile/resources/network/ip-resources.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { defineRead } from '../define/define-operation.ts';
import type { Value } from '../define/outcome.ts';
import { formatResult } from '../format/format-result.ts';
import { hasUnreadEntries, unreadEntriesNote } from '../format/unreadable/unread-entries.ts';

const kindLabels = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;

export const ips = defineRead({
  name: 'ips',
  heading: 'IP addresses of a VPS',
  summary: 'List the IP addresses of a VPS',
  arguments: { vps: vpsArgument() },
  endpoints: [listVpsIpAddresses],
  async run({ read }, { vps }) {
    const data = await read(listVpsIpAddresses, { params: { vps_name: vps } });
    const { resources, hasMore, otherFields } = readIpResources(data);
    const isEmpty = resources.length === 0;
    const isUnread = isEmpty && hasUnreadEntries(otherFields, 'addresses');
    return {
      title: isEmpty && !isUnread ? `${vps} has no IP addresses` : `IP addresses of ${vps}`,
      ...(!isEmpty && { table: { columns: ['Kind', 'Address', 'ID'], rows: resources.map(toRow) } }),
      ...formatResult(otherFields, { omit: ['vps_name'] }),
      notes: [
        ...(hasMore ? ["This list may be incomplete: Rackhand couldn't read it to the end."] : []),
        ...(isUnread ? [unreadEntriesNote] : []),
        ...(isEmpty ? ['To see which addresses are free, press All IP Addresses.'] : []),
      ],
      next: [
        { label: 'All IP Addresses', operation: 'ip list', input: {} },
        { label: 'Attach an IP Address', operation: 'ip attach', input: { vps }, opensForm: true },
        { label: 'Show', operation: 'show', input: { vps } },
      ],
    };
  },
});

function toRow({ kind, address, id }: IpResource): readonly Value[] {
  return [kindLabels[kind], address === undefined ? 'not shown' : { kind: 'code', code: address }, id ?? '–'];
}
