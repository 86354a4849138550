import { listVlans } from '../../hosting/endpoints/vlans.ts';
import { readVlans } from '../../hosting/payloads/vlans.ts';
import type { OperationContext } from '../define/operation.ts';
import type { Fact } from '../define/outcome.ts';
import type { TargetState } from '../define/target-state.ts';
import { formatOtherFacts } from '../format/record-columns.ts';
import { createTargetState, readTargetStateIfPermitted } from '../format/target-state.ts';
import { createVpsRedactor } from './redact-vps.ts';
import { formatVlan, shownVlanFields, withoutMembers } from './vlan-facts.ts';

/** Reads the facts about a VLAN for the confirmation card. Only VPS that the actor is allowed to view are named. */
export function readVlanState(
  context: OperationContext,
  { vps, vlan }: { vps: string; vlan: string },
): Promise<TargetState> {
  return readTargetStateIfPermitted('VLAN', async () => {
    const { vlans, vpsIp } = readVlans(await context.read(listVlans, { params: { vps_name: vps } }));
    const found = vlans.find(({ id }) => id === vlan);
    if (!found) return createTargetState([{ label: 'VLAN', value: `${vlan} is not in the list` }]);
    const record = (await createVpsRedactor(context))(found.record);
    return createTargetState(
      formatVlan({ ...found, record }, { vpsName: vps, ip: vpsIp }),
      formatOtherFacts(withoutMembers(record), shownVlanFields),
    );
  });
}

/** Reads whether a VPS is in a VLAN, for the confirmation card. */
export function readVlanMembership(
  { read }: OperationContext,
  { vps, vlan }: { vps: string; vlan: string },
): Promise<TargetState> {
  return readTargetStateIfPermitted(membershipLabel, async () => {
    const { vlans } = readVlans(await read(listVlans, { params: { vps_name: vps } }));
    return createTargetState(formatMembership(vlans.find(({ id }) => id === vlan)?.isAttached));
  });
}

const membershipLabel = 'Attached to this VLAN';

export function formatMembership(isAttached: boolean | undefined): readonly Fact[] {
  return [
    { label: membershipLabel, value: isAttached === undefined ? 'not shown' : isAttached ? 'yes' : 'no' },
  ];
}
