import { listIpv4Addresses, listIpv6Addresses } from '../../hosting/endpoints/ip-addresses.ts';
import type { IpAttachment } from '../../hosting/profile/resources/network/ip-attachment.ts';
import type { IpResource } from '../../hosting/profile/resources/network/ip-resources.ts';
import { normalizeFieldName, type ServiceRecord } from '../../hosting/profile/values/records.ts';
import { type ListedIpResources, listIpResources } from '../choices/sources/list-ip-resources.ts';
import { defineRead } from '../define/define-operation.ts';
import type { Fact, Outcome } from '../define/outcome.ts';
import { formatResult } from '../format/format-result.ts';
import { buildRecordColumns } from '../format/record-columns.ts';
import { hasUnreadEntries, unreadEntriesNote } from '../format/unreadable/unread-entries.ts';

/**
 * Normalized names of IP address fields that are shown in their own column, so that other columns
 * omit them.
 */
const shownIpFields =
  /^((ip|resource|ipv4|ipv6|address)?id|identifier|uuid|(ip)?addr(ess)?|ip|ip(v[46])?address|ipv[46]|cidr|version|ipversion|family|kind)$/;

const ownerFields = /^(vps(name)?|attachedto|assignedto)$/;

/** Returns the record of an IP address, without its owner if that is already shown. */
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
  arguments: {},
  endpoints: [listIpv4Addresses, listIpv6Addresses],
  async run({ read }) {
    return formatResources(await listIpResources(read));
  },
});

function formatResources({
  resources,
  hasMore,
  otherFields,
  unavailableSettings,
}: ListedIpResources): Outcome {
  const count = resources.length;
  const free = resources.filter(({ isAttached }) => isAttached === false);
  // Free addresses come first, because people mostly look for one.
  const sorted = [...free, ...resources.filter((resource) => !free.includes(resource))];
  const extra = buildRecordColumns(
    sorted.map((resource) => ({
      name: resource.address ?? `${resource.kind}:${resource.id}`,
      record: withoutShownFields(resource),
    })),
  );
  const isUnread = count === 0 && otherFields.some((fields) => hasUnreadEntries(fields, 'addresses'));
  const saysWhatIsFree = count > 0 && resources.every(({ isAttached }) => isAttached !== undefined);
  const formatted = otherFields.map((rest) => formatResult(rest));
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
      ...(isUnread ? [unreadEntriesNote] : []),
      ...(count === 0 && !isUnread ? ["The API key's account has no IPv4 or IPv6 addresses."] : []),
      ...unavailableSettings.map(
        (setting) =>
          `The service has no list at the configured path. Ask the person who runs Rackhand to correct ${setting}.`,
      ),
      ...(hasMore && unavailableSettings.length === 0
        ? ["This list may be incomplete: Rackhand couldn't read it to the end."]
        : []),
      ...extra.notes,
    ],
    choiceSteps: [
      ...(resources.some(({ isAttached }) => isAttached !== true)
        ? [ipChoiceStep('Attach a Free Address', 'ip attach')]
        : []),
      ...(free.length < count ? [ipChoiceStep('Detach an Address', 'ip detach')] : []),
    ],
  };
}

/**
 * Formats the attachment of an IP address. `unattached` is the text for an address that isn't
 * attached.
 */
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
