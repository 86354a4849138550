import { detachIpv4Address, detachIpv6Address } from '../../hosting/endpoints/ip-addresses.ts';
import { attachedIpChoices } from '../choices/sources/ip-addresses.ts';
import { formatIpName, parseIpId, parseIpReference } from '../choices/sources/ip-reference.ts';
import { listIpResources } from '../choices/sources/list-ip-resources.ts';
import { remoteArgument } from '../define/arguments/argument.ts';
import { defineChange } from '../define/define-operation.ts';
import type { Read } from '../define/read.ts';
import type { TargetState } from '../define/target-state.ts';
import { formatResult } from '../format/format-result.ts';
import { formatOtherFacts } from '../format/record-columns.ts';
import { createTargetState, readTargetStateIfPermitted } from '../format/target-state.ts';
import { formatAttachment, withoutShownFields } from './list.ts';

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

/** Reads which VPS an IP address is attached to, for the confirmation card. */
function readIpState(read: Read, ip: string): Promise<TargetState> {
  const { kind } = parseIpReference(ip);
  const wantedId = parseIpId(ip);
  return readTargetStateIfPermitted('Attached to', async () => {
    const { resources } = await listIpResources(read);
    const found = resources.find((one) => one.kind === kind && one.id === wantedId);
    if (!found)
      return createTargetState([{ label: 'IP address', value: `${formatIpName(ip)} is not in the list` }]);
    const { address } = found;
    const bound = [
      ...(address === undefined
        ? []
        : [{ label: 'Address', value: { kind: 'code', code: address } as const }]),
      { label: 'Attached to', value: formatAttachment(found, 'no VPS') },
    ];
    return createTargetState(bound, formatOtherFacts(withoutShownFields(found)));
  });
}
