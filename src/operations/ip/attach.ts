import { attachIpv4Address, attachIpv6Address } from '../../hosting/endpoints/ip-addresses.ts';
import { remoteArgument, vpsArgument } from '../argument.ts';
import { defineChange } from '../operation.ts';
import { freeIps } from '../sources/ip-resources.ts';
import { tellResult } from '../tell-result.ts';
import { ipIdOf, ipNameOf, readIpReference } from './reference.ts';

export const attach = defineChange({
  name: 'ip attach',
  heading: 'Attach an IP address',
  summary: 'Attach a free IPv4 or IPv6 address to a VPS',
  arguments: {
    ip: remoteArgument({
      source: freeIps,
      label: 'IP address',
      written: 'ip',
      example: '198.18.0.23',
      hint: 'Typed, the address or its ID.',
    }),
    vps: vpsArgument(),
  },
  change: attachIpv4Address,
  variant: { change: attachIpv6Address, isMeant: ({ ip }) => readIpReference(ip).kind === 'ipv6' },
  button: 'Attach',
  title: ({ ip, vps }) => `Attach ${ipNameOf(ip)} to ${vps}`,
  target: ({ ip }) => ipNameOf(ip),
  request: ({ ip, vps }) => ({ params: { id: ipIdOf(ip) }, body: { vps_name: vps } }),
  outcome(data, { ip, vps }) {
    const { kind, id } = readIpReference(ip);
    return {
      title: `${ipNameOf(ip)} is attached to ${vps}`,
      ...tellResult(data, { without: ['vps_name'] }),
      notes: ['The VPS may have to be told of the address: that is up to its operating system.'],
      next: [
        { label: 'Show VPS', operation: 'show', input: { vps } },
        { label: 'Detach', operation: 'ip detach', input: { ip: `${kind}:${id}` } },
        { label: 'List IP Addresses', operation: 'ip list', input: {} },
      ],
    };
  },
});
