import { listVlans } from '../../hosting/endpoints/vlan.ts';
import { readVlans, type VlanReading } from '../../hosting/readings/vlans.ts';
import type { Source } from './source.ts';

/** The VLANs of the account. */
export const vlans = vlanSource({
  name: 'vlans',
  unknown: (name) => `No single VLAN is called ${name}. It can also be given by its ID.`,
  isMeant: () => true,
});

/** The VLANs that the chosen VPS is in, as far as the service tells. */
export const attachedVlans = vlanSource({
  name: 'attached-vlans',
  unknown: (name, { vps }) => `${vps} is in no VLAN called ${name}.`,
  isMeant: ({ attached }) => attached !== false,
});

/** The VLANs that the chosen VPS is not in, as far as the service tells. */
export const otherVlans = vlanSource({
  name: 'other-vlans',
  unknown: (name, { vps }) => `There is no VLAN called ${name} that ${vps} is not in already.`,
  isMeant: ({ attached }) => attached !== true,
});

function vlanSource({
  isMeant,
  ...texts
}: Pick<Source, 'name' | 'unknown'> & { readonly isMeant: (vlan: VlanReading) => boolean }): Source {
  return {
    ...texts,
    noun: 'a VLAN',
    isById: true,
    dependsOn: 'vps',
    async load(read, { vps }, maxAgeMs) {
      const vpsName = String(vps);
      const data = await read(listVlans, { params: { vps_name: vpsName } }, { maxAgeMs });
      const { vlans: all, mayHaveMore } = readVlans(data, vpsName);
      const choices = all.filter(isMeant).map(({ id, name = id, ipRange }) => ({
        value: id,
        text: name,
        ...(ipRange !== undefined && { hint: ipRange, aliases: [ipRange] }),
      }));
      return { choices, isComplete: all.length > 0 && !mayHaveMore };
    },
  };
}
