import { listVlans } from '../../hosting/endpoints/vlan.ts';
import { readVlans, type VlanListReading, type VlanReading } from '../../hosting/readings/vlans.ts';
import { vpsArgument } from '../argument.ts';
import { defineRead } from '../operation.ts';
import type { Outcome } from '../outcome.ts';
import { recordColumns } from '../record-columns.ts';
import { tellResult } from '../tell-result.ts';
import { besidesMembers, membersOf, shownOfVlan } from './describe.ts';
import { type Seen, seenBy } from './seen.ts';

export const list = defineRead({
  name: 'vlan list',
  heading: 'List VLANs',
  summary: 'List the VLANs of the account, the quotas and the VLAN IP of a VPS',
  arguments: { vps: vpsArgument() },
  uses: [listVlans],
  async run(context, { vps }) {
    const reading = readVlans(await context.read(listVlans, { params: { vps_name: vps } }), vps);
    return describeVlans(reading, vps, await seenBy(context));
  },
});

function describeVlans(reading: VlanListReading, vps: string, seen: Seen): Outcome {
  const { ipOfVps, mayHaveMore } = reading;
  const quotas = seen(reading.quotas);
  const vlans = reading.vlans.map((vlan) => ({ ...vlan, record: seen(vlan.record) }));
  const namesIn = (all: readonly VlanReading[]) => all.flatMap(({ record }) => membersOf(record)).length;
  const isPart = namesIn(vlans) < namesIn(reading.vlans);
  const extra = recordColumns(
    vlans.map(({ id, name = id, record }) => ({ name, record: besidesMembers(record) })),
    shownOfVlan,
  );
  const own = vlans.filter(({ attached }) => attached).map(({ id, name = id }) => name);
  const known = [
    ...(own.length > 0 ? [{ label: `VLAN of ${vps}`, value: own.join(', ') }] : []),
    { label: `VLAN IP of ${vps}`, value: ipOfVps === undefined ? 'none' : { code: ipOfVps } },
  ];
  const without = [
    'vps_name',
    ...(own.length > 0 ? ['vlan_id'] : []),
    ...(ipOfVps === undefined ? [] : ['vlan_ip']),
  ];
  const { facts, secrets } = tellResult(quotas, { known, without });
  const notes = [
    ...(vlans.length === 0 ? ['The account has no VLAN. Create one, and attach its VPS to it.'] : []),
    ...(mayHaveMore ? ['The service hints at further pages: there may be more VLANs than these.'] : []),
    ...(isPart ? ['There are more VPS in them than these: this is what you may look at.'] : []),
    ...extra.notes,
  ];
  const next = (label: string, operation: string) => ({ label, operation, argument: 'vlan', input: { vps } });
  return {
    title: vlans.length === 0 ? 'No VLANs' : vlans.length === 1 ? '1 VLAN' : `${vlans.length} VLANs`,
    facts,
    secrets: [...secrets, ...extra.secrets],
    table: {
      columns: ['VLAN', 'Range', 'VPS in it', 'ID', ...extra.columns],
      rows: vlans.map(({ id, name, ipRange, attached, record }, index) => [
        name ?? id,
        ipRange ?? 'not shown',
        membersOf(record).join(', ') || (attached ? vps : '–'),
        { code: id },
        ...(extra.rows[index] ?? []),
      ]),
    },
    notes,
    choose: [
      ...(vlans.some(({ attached }) => attached !== true) ? [next('Attach to a VLAN', 'vlan attach')] : []),
      ...(vlans.some(({ attached }) => attached !== false)
        ? [next('Detach from a VLAN', 'vlan detach')]
        : []),
      ...(vlans.length > 0 ? [next('Delete a VLAN', 'vlan delete')] : []),
    ],
    next: [{ label: 'Create VLAN', operation: 'vlan create', input: { vps } }],
  };
}
