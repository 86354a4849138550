import { listVlans } from '../../hosting/endpoints/vlan.ts';
import { readVlans } from '../../hosting/readings/vlans.ts';
import type { Present, Read } from '../operation.ts';
import { presentIfPermitted, presentOf } from '../present.ts';
import { otherFacts } from '../record-columns.ts';
import { besidesMembers, factsOfVlan, shownOfVlan } from './describe.ts';

/** Reads what a confirmation shows of a VLAN: what it is, and which VPS are in it. */
export function presentVlan(read: Read, { vps, vlan }: { vps: string; vlan: string }): Promise<Present> {
  return presentIfPermitted('VLAN', async () => {
    const { vlans, ipOfVps } = readVlans(await read(listVlans, { params: { vps_name: vps } }), vps);
    const found = vlans.find(({ id }) => id === vlan);
    if (!found) return presentOf([{ label: 'VLAN', value: `${vlan} is not in the list` }]);
    return presentOf(
      factsOfVlan(found, { vpsName: vps, ip: ipOfVps }),
      otherFacts(besidesMembers(found.record), shownOfVlan),
    );
  });
}
