import { formatIpName, parseIpId, parseIpReference } from '../choices/sources/ip-reference.ts';
import { listIpResources } from '../choices/sources/list-ip-resources.ts';
import type { Read } from '../define/read.ts';
import type { TargetState } from '../define/target-state.ts';
import { formatOtherFacts } from '../format/record-columns.ts';
import { createTargetState, readTargetStateIfPermitted } from '../format/target-state.ts';
import { formatAttachment, withoutShownFields } from './list.ts';

export const attachedToLabel = 'Attached to';

export const notAttached = 'no VPS';

/** Reads which VPS an IP address is attached to, for the confirmation card. */
export function readIpState(read: Read, ip: string): Promise<TargetState> {
  const { kind } = parseIpReference(ip);
  const wantedId = parseIpId(ip);
  return readTargetStateIfPermitted(attachedToLabel, async () => {
    const { resources } = await listIpResources(read);
    const found = resources.find((one) => one.kind === kind && one.id === wantedId);
    if (!found)
      return createTargetState([{ label: 'IP address', value: `${formatIpName(ip)} is not in the list` }]);
    const { address } = found;
    const bound = [
      ...(address === undefined
        ? []
        : [{ label: 'Address', value: { kind: 'code', code: address } as const }]),
      { label: attachedToLabel, value: formatAttachment(found, notAttached) },
    ];
    return createTargetState(bound, formatOtherFacts(withoutShownFields(found)));
  });
}
