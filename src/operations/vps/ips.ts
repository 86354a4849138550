import { listVpsIpAddresses } from '../../hosting/endpoints/vps.ts';
import { saysNone } from '../../hosting/payloads/entries.ts';
import { type IpResource, readIpResources } from '../../hosting/payloads/ip-addresses.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { defineRead } from '../define/define-operation.ts';
import type { Value } from '../define/outcome.ts';
import { moreArgument } from '../format/facts.ts';
import { formatFields } from '../format/format-result.ts';
import { incompleteNote, unreadNote } from '../format/list-notes.ts';

const kindLabels = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;

export const ips = defineRead({
  name: 'ips',
  heading: 'IP addresses of a VPS',
  summary: 'List the IP addresses of a VPS',
  arguments: { vps: vpsArgument(), more: moreArgument() },
  endpoints: [listVpsIpAddresses],
  async run({ read }, { vps, more }) {
    const data = await read(listVpsIpAddresses, { params: { vps_name: vps } });
    const { resources, hasMore, otherFields } = readIpResources(data);
    const isEmpty = resources.length === 0;
    const isUnread = isEmpty && !saysNone(data);
    const fields = formatFields(
      otherFields,
      { operation: 'ips', input: { vps }, more },
      { omit: ['vps_name'] },
    );
    return {
      title: isEmpty && !isUnread ? `${vps} has no IP addresses` : `IP addresses of ${vps}`,
      ...(!isEmpty && { table: { columns: ['Kind', 'Address', 'ID'], rows: resources.map(toRow) } }),
      facts: fields.facts,
      secrets: fields.secrets,
      notes: [
        ...(hasMore ? [incompleteNote] : []),
        ...(isUnread ? [unreadNote] : []),
        ...(isEmpty ? ['To see which addresses are free, press All IP Addresses.'] : []),
      ],
      next: [
        { label: 'All IP Addresses', operation: 'ip list', input: {} },
        { label: 'Attach an IP Address', operation: 'ip attach', input: { vps }, opensForm: true },
        { label: 'Show', operation: 'show', input: { vps } },
        ...fields.more,
      ],
    };
  },
});

function toRow({ kind, address, id }: IpResource): readonly Value[] {
  return [kindLabels[kind], address === undefined ? 'not shown' : { kind: 'code', code: address }, id ?? '–'];
}
