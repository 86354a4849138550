import { listSshMappings } from '../../hosting/endpoints/proxy-ssh.ts';
import {
  readSshMappings,
  type SshMappingListReading,
  type SshMappingReading,
} from '../../hosting/readings/ssh.ts';
import { defineRead } from '../operation.ts';
import type { Outcome, Value } from '../outcome.ts';
import { recordColumns } from '../record-columns.ts';
import { tellResult } from '../tell-result.ts';

/** Bare names of the fields that tell what is shown of a mapping anyway. */
const shownOfMapping =
  /^(vps(name)?|name|(proxy|public|ssh)?host(name)?|proxy|endpoint|(external|proxy|public|internal|target|ssh|listen|vpsssh|sshproxy)?port|port(vpsssh|external))$/;

export const list = defineRead({
  name: 'ssh list',
  heading: 'List SSH ports',
  summary: 'List how each VPS is reached by SSH through the proxy',
  arguments: {},
  uses: [listSshMappings],
  async run({ read }) {
    return describeMappings(readSshMappings(await read(listSshMappings, {})));
  },
});

function describeMappings({ mappings, mayHaveMore, rest }: SshMappingListReading): Outcome {
  const count = mappings.length;
  const extra = recordColumns(
    mappings.map(({ vpsName, record }) => ({ name: vpsName, record })),
    shownOfMapping,
  );
  const { facts, secrets } = tellResult(rest);
  return {
    title: count === 0 ? 'No SSH ports' : count === 1 ? 'SSH to 1 VPS' : `SSH to ${count} VPS`,
    facts,
    secrets: [...secrets, ...extra.secrets],
    table: {
      columns: ['VPS', 'Connect to', 'SSH port of the VPS', ...extra.columns],
      rows: mappings.map((mapping, index) => [
        mapping.vpsName,
        connectTo(mapping),
        mapping.port === undefined ? 'not shown' : String(mapping.port),
        ...(extra.rows[index] ?? []),
      ]),
    },
    notes: [
      ...(count === 0 ? ['The proxy maps no port to a VPS of this account.'] : []),
      ...(mayHaveMore ? ['The service hints at further pages: there may be more than these.'] : []),
      ...extra.notes,
    ],
    choose:
      count === 0 ? [] : [{ label: 'Set an SSH Port', operation: 'ssh set', argument: 'vps', input: {} }],
  };
}

function connectTo({ host, externalPort }: SshMappingReading): Value {
  const parts = [host, externalPort].filter((part) => part !== undefined);
  return parts.length === 0 ? 'not shown' : { code: parts.join(':') };
}
