import { detachIpv4Address, detachIpv6Address } from '../../hosting/endpoints/ip-addresses.ts';
import { isVpsName } from '../../hosting/payloads/vps-name.ts';
import { attachedIpChoices } from '../choices/sources/ip-addresses.ts';
import {
  formatIpName,
  formatIpReference,
  parseIpId,
  parseIpReference,
} from '../choices/sources/ip-reference.ts';
import { remoteArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import { formatResult } from '../format/format-result.ts';
import { findFactText } from '../format/target-state.ts';
import { attachedToLabel, notAttached, readIpState } from './target-state.ts';

export const ipDetach = defineChange({
  name: 'ip detach',
  heading: 'Detach an IP address',
  summary: 'Detach an IPv4 or IPv6 address from its VPS',
  arguments: {
    ip: remoteArgument({
      source: attachedIpChoices,
      label: 'IP address',
      valueName: 'ip',
      example: '198.18.0.10',
      hint: 'In a command, type the address or its ID.',
    }),
  },
  endpoint: detachIpv4Address,
  variant: { endpoint: detachIpv6Address, appliesTo: ({ ip }) => parseIpReference(ip).kind === 'ipv6' },
  button: 'Detach',
  warning: 'Connections to this address stop working.',
  title({ ip }) {
    const { vpsName } = parseIpReference(ip);
    return `Detach ${formatIpName(ip)}${vpsName === undefined ? '' : ` from ${vpsName}`}`;
  },
  target: ({ ip }) => formatIpName(ip),
  readTargetState: ({ read }, { ip }) => readIpState(read, ip),
  undo({ ip }, before) {
    const vps = findFactText(before, attachedToLabel);
    if (!isVpsName(vps)) return undefined;
    const { vpsName: _, ...reference } = parseIpReference(ip);
    return {
      label: 'Attach Again',
      operation: 'ip attach',
      input: { ip: formatIpReference(reference), vps },
      expected: before.map((fact) =>
        fact.label === attachedToLabel ? { ...fact, value: notAttached } : fact,
      ),
    };
  },
  request: ({ ip }) => ({ params: { id: parseIpId(ip) } }),
  outcome(data, { ip }) {
    const { kind, id } = parseIpReference(ip);
    return {
      title: `${formatIpName(ip)} is detached`,
      ...formatResult(data),
      next: [
        { label: 'Attach to a VPS', operation: 'ip attach', input: { ip: `${kind}:${id}` } },
        { label: 'List IP Addresses', operation: 'ip list', input: {} },
      ],
    };
  },
});
