import { listSshMappings } from '../../hosting/endpoints/proxy-ssh.ts';
import { saysNone } from '../../hosting/payloads/entries.ts';
import {
  readSshMappings,
  type SshMapping,
  type SshMappingList,
} from '../../hosting/payloads/ssh-mappings.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { defineRead } from '../define/define-operation.ts';
import type { Outcome, Value } from '../define/outcome.ts';
import { moreArgument, moreStep } from '../format/facts.ts';
import { formatFields } from '../format/format-result.ts';
import { incompleteNote, unreadNote } from '../format/list-notes.ts';
import { buildRecordColumns } from '../format/record-columns.ts';

/**
 * Normalized names of the SSH mapping fields that have their own column and are therefore left out of the
 * other columns.
 */
const shownMappingFields = /^(vps(name)?|name)$/;

const anyVps = vpsArgument();
const optionalVps = { ...anyVps, required: false, schema: anyVps.schema.optional() };

export const sshList = defineRead({
  name: 'ssh list',
  heading: 'List SSH ports',
  summary: 'List the SSH ports of your VPS on the proxy, or show how to connect to one',
  aliases: { ssh: {} },
  arguments: { vps: optionalVps, more: moreArgument() },
  endpoints: [listSshMappings],
  async run({ read }, { vps, more }) {
    const data = await read(listSshMappings, {});
    const reading = readSshMappings(data);
    return vps === undefined
      ? formatMappings(reading, { more, isNone: saysNone(data) })
      : formatConnection(vps, reading, saysNone(data));
  },
});

/** Formats how to connect to one VPS, as a line to paste. */
function formatConnection(vps: string, { mappings, hasMore }: SshMappingList, isNone: boolean): Outcome {
  const { host, externalPort, port } = mappings.find(({ vpsName }) => vpsName === vps) ?? {};
  const list = { label: 'List SSH Ports', operation: 'ssh list', input: {} };
  if (host === undefined || externalPort === undefined)
    return {
      title: `No SSH address found for ${vps}`,
      notes: [
        ...(mappings.length === 0 && !isNone ? [unreadNote] : []),
        ...(hasMore ? [incompleteNote] : []),
      ],
      next: [list],
    };
  return {
    title: `SSH to ${vps}`,
    facts: [
      { label: 'Connect', value: { kind: 'code', code: `ssh -p ${externalPort} root@${host}` } },
      ...(port === undefined ? [] : [{ label: 'SSH port on the VPS', value: String(port) }]),
    ],
    next: [{ label: 'Set SSH Port', operation: 'ssh set', input: { vps } }, list],
  };
}

function formatMappings(
  { mappings, hasMore, otherFields }: SshMappingList,
  { more, isNone }: { readonly more: boolean; readonly isNone: boolean },
): Outcome {
  const count = mappings.length;
  const isUnread = count === 0 && !isNone;
  const extra = buildRecordColumns(
    mappings.map((mapping) => ({ name: mapping.vpsName, record: mapping.otherFields })),
    { shown: shownMappingFields, more },
  );
  const fields = formatFields(otherFields, { operation: 'ssh list', input: {}, more });
  return {
    title: isUnread
      ? 'SSH ports'
      : count === 0
        ? 'No SSH ports'
        : count === 1
          ? 'SSH to 1 VPS'
          : `SSH to ${count} VPS`,
    facts: fields.facts,
    secrets: [...fields.secrets, ...extra.secrets],
    table: {
      columns: ['VPS', 'Connect to', 'SSH port on the VPS', ...extra.columns],
      rows: mappings.map((mapping, index) => [
        mapping.vpsName,
        formatAddress(mapping),
        mapping.port === undefined ? 'not shown' : String(mapping.port),
        ...(extra.rows[index] ?? []),
      ]),
    },
    notes: [
      ...(isUnread ? [unreadNote] : []),
      ...(count === 0 && !isUnread ? ["The proxy has no SSH ports for this account's VPS."] : []),
      ...(hasMore ? [incompleteNote] : []),
    ],
    choiceSteps:
      count === 0 ? [] : [{ label: 'Set an SSH Port', operation: 'ssh set', argument: 'vps', input: {} }],
    next: extra.hasMore ? [moreStep('ssh list', {})] : fields.more,
  };
}

function formatAddress({ host, externalPort }: SshMapping): Value {
  const parts = [host, externalPort].filter((part) => part !== undefined);
  return parts.length === 0 ? 'not shown' : { kind: 'code', code: parts.join(':') };
}
