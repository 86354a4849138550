import { listSshMappings } from '../../hosting/endpoints/proxy-ssh.ts';
import {
  readSshMappings,
  type SshMapping,
  type SshMappingList,
} from '../../hosting/profile/resources/network/ssh-mappings.ts';
import { defineRead } from '../define/define-operation.ts';
import type { Outcome, Value } from '../define/outcome.ts';
import { formatResult } from '../format/format-result.ts';
import { buildRecordColumns } from '../format/record-columns.ts';
import { hasUnreadEntries, unreadEntriesNote } from '../format/unreadable/unread-entries.ts';

/**
 * Normalized names of SSH mapping fields that are shown in their own column, so that other columns
 * omit them.
 */
const shownMappingFields = /^(vps(name)?|name)$/;

export const sshList = defineRead({
  name: 'ssh list',
  heading: 'List SSH ports',
  summary: 'List the SSH ports of your VPS on the proxy',
  arguments: {},
  endpoints: [listSshMappings],
  async run({ read }) {
    return formatMappings(readSshMappings(await read(listSshMappings, {})));
  },
});

function formatMappings({ mappings, hasMore, otherFields }: SshMappingList): Outcome {
  const count = mappings.length;
  const isUnread = count === 0 && hasUnreadEntries(otherFields, 'sshPorts');
  const extra = buildRecordColumns(
    mappings.map((mapping) => ({ name: mapping.vpsName, record: mapping.otherFields })),
    shownMappingFields,
  );
  const { facts, secrets } = formatResult(otherFields);
  return {
    title: isUnread
      ? 'SSH ports'
      : count === 0
        ? 'No SSH ports'
        : count === 1
          ? 'SSH to 1 VPS'
          : `SSH to ${count} VPS`,
    facts,
    secrets: [...secrets, ...extra.secrets],
    table: {
      columns: ['VPS', 'Connect to', 'SSH port of the VPS', ...extra.columns],
      rows: mappings.map((mapping, index) => [
        mapping.vpsName,
        formatAddress(mapping),
        mapping.port === undefined ? 'not shown' : String(mapping.port),
        ...(extra.rows[index] ?? []),
      ]),
    },
    notes: [
      ...(isUnread ? [unreadEntriesNote] : []),
      ...(count === 0 && !isUnread ? ["The proxy has no SSH ports for this account's VPS."] : []),
      ...(hasMore ? ["This list may be incomplete: Rackhand couldn't read it to the end."] : []),
      ...extra.notes,
    ],
    choiceSteps:
      count === 0 ? [] : [{ label: 'Set an SSH Port', operation: 'ssh set', argument: 'vps', input: {} }],
  };
}

function formatAddress({ host, externalPort }: SshMapping): Value {
  const parts = [host, externalPort].filter((part) => part !== undefined);
  return parts.length === 0 ? 'not shown' : { kind: 'code', code: parts.join(':') };
}
