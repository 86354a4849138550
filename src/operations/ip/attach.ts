import { attachIpv4Address, attachIpv6Address } from '../../hosting/endpoints/ip-addresses.ts';
import { freeIpChoices } from '../choices/sources/ip-addresses.ts';
import { formatIpName, parseIpId, parseIpReference } from '../choices/sources/ip-reference.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { remoteArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';
import { readIpState } from './target-state.ts';

export const ipAttach = defineChange({
  name: 'ip attach',
  heading: 'Attach an IP address',
  summary: 'Attach a free IPv4 or IPv6 address to a VPS',
  arguments: {
    ip: remoteArgument({
      source: freeIpChoices,
      label: 'IP address',
      valueName: 'ip',
      example: '198.18.0.23',
      hint: 'In a command, type the address or its ID.',
    }),
    vps: vpsArgument(),
  },
  endpoint: attachIpv4Address,
  variant: { endpoint: attachIpv6Address, appliesTo: ({ ip }) => parseIpReference(ip).kind === 'ipv6' },
  button: 'Attach',
  title: ({ ip, vps }) => `Attach ${formatIpName(ip)} to ${vps}`,
  target: ({ ip }) => formatIpName(ip),
  readTargetState: ({ read }, { ip }) => readIpState(read, ip),
  request: ({ ip, vps }) => ({ params: { id: parseIpId(ip) }, body: { vps_name: vps } }),
  outcome(data, { ip, vps }) {
    const { kind, id } = parseIpReference(ip);
    return {
      title: `${formatIpName(ip)} is attached to ${vps}`,
      ...formatResult(data, { omit: ['vps_name'] }),
      notes: ["You may have to configure the address in the VPS's operating system."],
      next: [
        { label: 'Show VPS', operation: 'show', input: { vps } },
        { label: 'Detach', operation: 'ip detach', input: { ip: `${kind}:${id}` } },
        { label: 'List IP Addresses', operation: 'ip list', input: {} },
      ],
    };
  },
});
