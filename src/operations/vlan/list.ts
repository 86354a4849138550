import { listVlans } from '../../hosting/endpoints/vlans.ts';
import { saysNone } from '../../hosting/payloads/entries.ts';
import { readVlans, type Vlan, type VlanList } from '../../hosting/payloads/vlans.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { defineRead } from '../define/define-operation.ts';
import type { Outcome } from '../define/outcome.ts';
import { moreArgument, moreStep } from '../format/facts.ts';
import { formatFields } from '../format/format-result.ts';
import { incompleteNote, unreadNote } from '../format/list-notes.ts';
import { buildRecordColumns } from '../format/record-columns.ts';
import { createVpsRedactor, type RedactVps } from './redact-vps.ts';
import { formatVlanIp, listMembers, shownVlanFields, withoutMembers } from './vlan-facts.ts';

export const vlanList = defineRead({
  name: 'vlan list',
  heading: 'List VLANs',
  summary: 'List the VLANs, their quotas and the VLAN IP of a VPS',
  arguments: { vps: vpsArgument(), more: moreArgument() },
  endpoints: [listVlans],
  async run(context, { vps, more }) {
    const data = await context.read(listVlans, { params: { vps_name: vps } });
    const redact = await createVpsRedactor(context);
    return formatVlans(readVlans(data), { vps, more, redact, isNone: saysNone(data) });
  },
});

interface ListView {
  readonly vps: string;
  readonly more: boolean;
  readonly redact: RedactVps;
  /** Whether the response explicitly says that there are no VLANs. */
  readonly isNone: boolean;
}

function formatVlans(reading: VlanList, { vps, more, redact, isNone }: ListView): Outcome {
  const { vpsIp, hasMore } = reading;
  const quotas = redact(reading.otherFields);
  const vlans = reading.vlans.map((vlan) => ({ ...vlan, record: redact(vlan.record) }));
  const namesIn = (all: readonly Vlan[]) => all.flatMap(({ record }) => listMembers(record)).length;
  const isPart = namesIn(vlans) < namesIn(reading.vlans);
  const extra = buildRecordColumns(
    vlans.map(({ id, name = id, record }) => ({ name, record: withoutMembers(record) })),
    { shown: shownVlanFields, more },
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
  const fields = formatFields(quotas, { operation: 'vlan list', input: { vps }, more }, { leading, omit });
  const isUnread = vlans.length === 0 && !isNone;
  const notes = [
    ...(isUnread ? [unreadNote] : []),
    ...(vlans.length === 0 && !isUnread
      ? ['The account has no VLANs. Create one, then attach a VPS to it.']
      : []),
    ...(hasMore ? [incompleteNote] : []),
    ...(isPart ? ['Only VPS you have access to are listed.'] : []),
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
    facts: fields.facts,
    secrets: [...fields.secrets, ...extra.secrets],
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
    next: [
      { label: 'Create VLAN', operation: 'vlan create', input: { vps } },
      ...(extra.hasMore ? [moreStep('vlan list', { vps })] : fields.more),
    ],
  };
}
