import { listVlans } from '../../hosting/endpoints/vlans.ts';
import { readVlans, type Vlan, type VlanList } from '../../hosting/profile/resources/network/vlans.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { defineRead } from '../define/define-operation.ts';
import type { Outcome } from '../define/outcome.ts';
import { formatResult } from '../format/format-result.ts';
import { buildRecordColumns } from '../format/record-columns.ts';
import { hasUnreadEntries, unreadEntriesNote } from '../format/unreadable/unread-entries.ts';
import { createVpsRedactor, type RedactVps } from './redact-vps.ts';
import { formatVlanIp, listMembers, shownVlanFields, withoutMembers } from './vlan-facts.ts';

export const vlanList = defineRead({
  name: 'vlan list',
  heading: 'List VLANs',
  summary: 'List the VLANs, their quotas and the VLAN IP of a VPS',
  arguments: { vps: vpsArgument() },
  endpoints: [listVlans],
  async run(context, { vps }) {
    const reading = readVlans(await context.read(listVlans, { params: { vps_name: vps } }), vps);
    return formatVlans(reading, vps, await createVpsRedactor(context));
  },
});

function formatVlans(reading: VlanList, vps: string, redact: RedactVps): Outcome {
  const { vpsIp, hasMore } = reading;
  const quotas = redact(reading.otherFields);
  const vlans = reading.vlans.map((vlan) => ({ ...vlan, record: redact(vlan.record) }));
  const namesIn = (all: readonly Vlan[]) => all.flatMap(({ record }) => listMembers(record)).length;
  const isPart = namesIn(vlans) < namesIn(reading.vlans);
  const extra = buildRecordColumns(
    vlans.map(({ id, name = id, record }) => ({ name, record: withoutMembers(record) })),
    shownVlanFields,
  );
  const own = vlans.filter(({ isAttached }) => isAttached).map(({ id, name = id }) => name);
  const leading = [
    ...(own.length > 0 ? [{ label: `VLAN of ${vps}`, value: own.join(', ') }] : []),
    { label: `VLAN IP of ${vps}`, value: formatVlanIp(vpsIp) },
  ];
  const omit = [
    'vps_name',
    ...(own.length > 0 ? ['vlan_id'] : []),
    ...(typeof vpsIp === 'string' ? ['vlan_ip'] : []),
  ];
  const { facts, secrets } = formatResult(quotas, { leading, omit });
  const isUnread = vlans.length === 0 && hasUnreadEntries(reading.otherFields, 'vlans');
  const notes = [
    ...(isUnread ? [unreadEntriesNote] : []),
    ...(vlans.length === 0 && !isUnread
      ? ['The account has no VLANs. Create one, then attach a VPS to it.']
      : []),
    ...(hasMore ? ["This list may be incomplete: Rackhand couldn't read it to the end."] : []),
    ...(isPart ? ['Only VPS you have access to are listed.'] : []),
    ...extra.notes,
  ];
  const next = (label: string, operation: string) => ({ label, operation, argument: 'vlan', input: { vps } });
  return {
    title: isUnread
      ? 'VLANs'
      : vlans.length === 0
        ? 'No VLANs'
        : vlans.length === 1
          ? '1 VLAN'
          : `${vlans.length} VLANs`,
    facts,
    secrets: [...secrets, ...extra.secrets],
    table: {
      columns: ['VLAN', 'Range', 'Attached VPS', 'ID', ...extra.columns],
      rows: vlans.map(({ id, name, ipRange, isAttached, record }, index) => [
        name ?? id,
        ipRange ?? 'not shown',
        listMembers(record).join(', ') || (isAttached ? vps : '–'),
        { kind: 'code', code: id },
        ...(extra.rows[index] ?? []),
      ]),
    },
    notes,
    choiceSteps: [
      ...(vlans.some(({ isAttached }) => isAttached !== true)
        ? [next('Attach to a VLAN', 'vlan attach')]
        : []),
      ...(vlans.some(({ isAttached }) => isAttached !== false)
        ? [next('Detach from a VLAN', 'vlan detach')]
        : []),
      ...(vlans.length > 0 ? [next('Delete a VLAN', 'vlan delete')] : []),
    ],
    next: [{ label: 'Create VLAN', operation: 'vlan create', input: { vps } }],
  };
}
