import { listVlans } from '../../hosting/endpoints/vlan.ts';
import { readVlans } from '../../hosting/readings/vlans.ts';
import type { OperationContext, Present } from '../operation.ts';
import { presentIfPermitted, presentOf } from '../present.ts';
import { otherFacts } from '../record-columns.ts';
import { besidesMembers, factsOfVlan, shownOfVlan } from './describe.ts';
import { seenBy } from './seen.ts';

/** Reads what a confirmation shows of a VLAN: what it is, and which VPS are in it, as far as its asker may look at them. */
export function presentVlan(
  context: OperationContext,
  { vps, vlan }: { vps: string; vlan: string },
): Promise<Present> {
  return presentIfPermitted('VLAN', async () => {
    const { vlans, ipOfVps } = readVlans(await context.read(listVlans, { params: { vps_name: vps } }), vps);
    const found = vlans.find(({ id }) => id === vlan);
    if (!found) return presentOf([{ label: 'VLAN', value: `${vlan} is not in the list` }]);
    const record = (await seenBy(context))(found.record);
    return presentOf(
      factsOfVlan({ ...found, record }, { vpsName: vps, ip: ipOfVps }),
      otherFacts(besidesMembers(record), shownOfVlan),
    );
  });
}
