import { listIpv4Addresses, listIpv6Addresses } from '../../hosting/endpoints/ip-addresses.ts';
import type { IpAttachment, IpResource } from '../../hosting/payloads/ip-addresses.ts';
import { normalizeFieldName, type ServiceRecord } from '../../hosting/payloads/record.ts';
import { type ListedIpResources, listIpResources } from '../choices/sources/list-ip-resources.ts';
import { defineRead } from '../define/define-operation.ts';
import type { Fact, Outcome } from '../define/outcome.ts';
import { moreArgument, moreStep } from '../format/facts.ts';
import { formatFields } from '../format/format-result.ts';
import { incompleteNote, unreadNote } from '../format/list-notes.ts';
import { buildRecordColumns } from '../format/record-columns.ts';

/**
 * Normalized names of the IP address fields that have their own column and are therefore left out of the
 * other columns.
 */
const shownIpFields =
  /^((ip|resource|ipv4|ipv6|address)?id|identifier|uuid|(ip)?addr(ess)?|ip|ip(v[46])?address|ipv[46]|cidr|version|ipversion|family|kind)$/;

const ownerFields = /^(vps(name)?|attachedto|assignedto)$/;

/** Returns the fields of an IP address that aren't shown elsewhere. Leaves out the owner if it is already shown. */
export function withoutShownFields({ vpsName, isAttached, record }: IpResource): ServiceRecord {
  const isOwnerShown = vpsName !== undefined || isAttached === false;
  return Object.fromEntries(
    Object.entries(record).filter(([field]) => {
      const name = normalizeFieldName(field);
      return !shownIpFields.test(name) && !(isOwnerShown && ownerFields.test(name));
    }),
  );
}

export const ipList = defineRead({
  name: 'ip list',
  heading: 'List IP addresses',
  summary: 'List all IPv4 and IPv6 addresses, attached and free',
  arguments: { more: moreArgument() },
  endpoints: [listIpv4Addresses, listIpv6Addresses],
  async run({ read }, { more }) {
    return formatResources(await listIpResources(read), more);
  },
});

function formatResources(
  { resources, hasMore, isNone, otherFields, unavailableSettings }: ListedIpResources,
  more: boolean,
): Outcome {
  const count = resources.length;
  const free = resources.filter(({ isAttached }) => isAttached === false);
  // Free addresses come first, because people mostly look for a free one.
  const sorted = [...free, ...resources.filter((resource) => !free.includes(resource))];
  const extra = buildRecordColumns(
    sorted.map((resource) => ({
      name: resource.address ?? `${resource.kind}:${resource.id}`,
      record: withoutShownFields(resource),
    })),
    { more },
  );
  const isUnread = count === 0 && !isNone;
  const saysWhatIsFree = count > 0 && resources.every(({ isAttached }) => isAttached !== undefined);
  const formatted = otherFields.map((rest) => formatFields(rest, { operation: 'ip list', input: {}, more }));
  return {
    title: isUnread
      ? 'IP addresses'
      : count === 0
        ? 'No IP addresses'
        : count === 1
          ? '1 IP address'
          : `${count} IP addresses`,
    facts: [...(saysWhatIsFree ? [formatFreeCount(free)] : []), ...formatted.flatMap(({ facts }) => facts)],
    secrets: [...formatted.flatMap(({ secrets }) => secrets), ...extra.secrets],
    table: {
      columns: ['Address', 'Attached to', 'ID', ...extra.columns],
      rows: sorted.map(({ kind, id, address, ...attachment }, index) => [
        address ?? 'not shown',
        formatAttachment(attachment, 'free'),
        id === undefined ? 'not shown' : { kind: 'code', code: `${kind}:${id}` },
        ...(extra.rows[index] ?? []),
      ]),
    },
    notes: [
      ...(isUnread ? [unreadNote] : []),
      ...(count === 0 && !isUnread ? ["The API key's account has no IPv4 or IPv6 addresses."] : []),
      ...unavailableSettings.map(
        (setting) =>
          `The service has no list at the configured path. Ask the person who runs Rackhand to correct ${setting}.`,
      ),
      ...(hasMore && unavailableSettings.length === 0 ? [incompleteNote] : []),
    ],
    next: extra.hasMore ? [moreStep('ip list', {})] : formatted.flatMap((fields) => fields.more).slice(0, 1),
    choiceSteps: [
      ...(resources.some(({ isAttached }) => isAttached !== true)
        ? [ipChoiceStep('Attach a Free Address', 'ip attach')]
        : []),
      ...(free.length < count ? [ipChoiceStep('Detach an Address', 'ip detach')] : []),
    ],
  };
}

/** Formats which VPS an IP address is attached to. `unattached` is the text for an address that isn't attached. */
export function formatAttachment({ vpsName, isAttached }: IpAttachment, unattached: string): string {
  if (vpsName !== undefined) return vpsName;
  if (isAttached === undefined) return 'not shown';
  return isAttached ? 'attached, VPS not shown' : unattached;
}

function ipChoiceStep(label: string, operation: string) {
  return { label, operation, argument: 'ip', input: {} };
}

function formatFreeCount(free: readonly IpResource[]): Fact {
  const ipv4 = free.filter(({ kind }) => kind === 'ipv4').length;
  return { label: 'Free', value: `${ipv4} IPv4, ${free.length - ipv4} IPv6` };
}
