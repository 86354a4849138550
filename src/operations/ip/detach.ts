import { detachIpv4Address, detachIpv6Address } from '../../hosting/endpoints/ip-addresses.ts';
import { remoteArgument } from '../argument.ts';
import { defineChange, type Present, type Read } from '../operation.ts';
import { presentIfPermitted, presentOf } from '../present.ts';
import { otherFacts } from '../record-columns.ts';
import { attachedIps } from '../sources/ip-resources.ts';
import { tellResult } from '../tell-result.ts';
import { readAllResources } from './all-resources.ts';
import { shownOfIp } from './list.ts';
import { ipIdOf, ipNameOf, readIpReference } from './reference.ts';

export const detach = defineChange({
  name: 'ip detach',
  heading: 'Detach an IP address',
  summary: 'Detach an IPv4 or IPv6 address from its VPS',
  arguments: {
    ip: remoteArgument({
      source: attachedIps,
      label: 'IP address',
      written: 'ip',
      example: '198.18.0.10',
      hint: 'Typed, the address or its ID.',
    }),
  },
  change: detachIpv4Address,
  variant: { change: detachIpv6Address, isMeant: ({ ip }) => readIpReference(ip).kind === 'ipv6' },
  button: 'Detach',
  warning: 'Whatever is reached by this address is cut off.',
  title({ ip }) {
    const { vpsName } = readIpReference(ip);
    return `Detach ${ipNameOf(ip)}${vpsName === undefined ? '' : ` from ${vpsName}`}`;
  },
  target: ({ ip }) => ipNameOf(ip),
  present: ({ read }, { ip }) => presentIp(read, ip),
  request({ ip }) {
    const { vpsName } = readIpReference(ip);
    return { params: { id: ipIdOf(ip) }, body: vpsName === undefined ? {} : { vps_name: vpsName } };
  },
  outcome(data, { ip }) {
    const { kind, id } = readIpReference(ip);
    return {
      title: `${ipNameOf(ip)} is detached`,
      ...tellResult(data),
      next: [
        { label: 'Attach to a VPS', operation: 'ip attach', input: { ip: `${kind}:${id}` } },
        { label: 'List IP Addresses', operation: 'ip list', input: {} },
      ],
    };
  },
});

/** Reads what a confirmation shows of an address: what it is attached to. */
function presentIp(read: Read, ip: string): Promise<Present> {
  const { kind } = readIpReference(ip);
  const wantedId = ipIdOf(ip);
  return presentIfPermitted('Attached to', async () => {
    const { resources } = await readAllResources(read);
    const found = resources.find((one) => one.kind === kind && one.id === wantedId);
    if (!found) return presentOf([{ label: 'IP address', value: `${ipNameOf(ip)} is not in the list` }]);
    const { address, vpsName, record } = found;
    const bound = [
      ...(address === undefined ? [] : [{ label: 'Address', value: { code: address } }]),
      { label: 'Attached to', value: vpsName ?? 'no VPS' },
    ];
    return presentOf(bound, otherFacts(record, shownOfIp));
  });
}
