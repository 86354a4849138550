import { listVlans } from '../../../hosting/endpoints/vlans.ts';
import { readVlans, type Vlan } from '../../../hosting/payloads/vlans.ts';
import type { ChoiceSource } from '../../define/arguments/choice-source.ts';

export const vlanChoices = createVlanSource({
  name: 'vlans',
  formatNotFound: (name) => `${name} isn't in the service's list of VLANs.`,
  isMeant: () => true,
});

/** Offers the VLANs that the chosen VPS is attached to, if the service shows that. */
export const attachedVlanChoices = createVlanSource({
  name: 'attached-vlans',
  formatNotFound: (name, { vps }) =>
    `${name} isn't in the service's list of VLANs that ${vps} is attached to.`,
  isMeant: ({ isAttached }) => isAttached !== false,
});

/** Offers the VLANs that the chosen VPS isn't attached to, if the service shows that. */
export const attachableVlanChoices = createVlanSource({
  name: 'other-vlans',
  formatNotFound: (name, { vps }) =>
    `${name} isn't in the service's list of VLANs that ${vps} can be attached to.`,
  isMeant: ({ isAttached }) => isAttached !== true,
});

function createVlanSource({
  isMeant,
  ...texts
}: Pick<ChoiceSource, 'name' | 'formatNotFound'> & {
  readonly isMeant: (vlan: Vlan) => boolean;
}): ChoiceSource {
  return {
    ...texts,
    listStep: ({ vps }) => ({ label: 'List VLANs', operation: 'vlan list', input: { vps: String(vps) } }),
    noun: 'a VLAN',
    hasOpaqueIds: true,
    dependsOn: 'vps',
    async load(read, { vps }, maxAgeMs) {
      const vpsName = String(vps);
      const data = await read(listVlans, { params: { vps_name: vpsName } }, { maxAgeMs });
      const { vlans: all, hasMore } = readVlans(data);
      const choices = all.filter(isMeant).map(({ id, name = id, ipRange }) => ({
        value: id,
        text: name,
        ...(ipRange !== undefined && { hint: ipRange, aliases: [ipRange] }),
      }));
      return { choices, isComplete: all.length > 0 && !hasMore };
    },
  };
}
