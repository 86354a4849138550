import { getWebgate } from '../../hosting/endpoints/webgate.ts';
import { readWebgate, type WebgateReading } from '../../hosting/readings/webgate.ts';
import { defineRead } from '../operation.ts';
import type { Outcome } from '../outcome.ts';
import { type NamedRecord, otherWords, recordSecrets } from '../record-columns.ts';
import { tellResult } from '../tell-result.ts';
import { describeBackend, describePort } from './describe.ts';
import { shownOfPart } from './present.ts';
import { readQuotas } from './quota-facts.ts';

export const webgate = defineRead({
  name: 'webgate',
  heading: 'WebGate',
  summary: 'Show the domains, dedicated ports and load balancers, with quotas and usage',
  arguments: {},
  uses: [getWebgate],
  async run({ read }) {
    return describeWebgate(readWebgate(await read(getWebgate, {})));
  },
});

function describeWebgate(reading: WebgateReading): Outcome {
  const { domains, ports, loadBalancers, mayHaveMore, rest } = reading;
  const quotas = readQuotas(rest);
  const { facts, secrets } = tellResult(quotas.rest, { known: quotas.facts });
  const rows = rowsOf(reading);
  const hasMore = rows.some(({ more }) => more !== '');
  return {
    title: 'WebGate',
    facts,
    secrets: [...secrets, ...recordSecrets(rows)],
    table: {
      columns: ['What', 'Name', 'Leads to', ...(hasMore ? ['More'] : [])],
      rows: rows.map(({ what, name, leadsTo, more }) => [what, name, leadsTo, ...(hasMore ? [more] : [])]),
    },
    notes: [
      ...(rows.length === 0 ? ['There is no domain, no dedicated port and no load balancer yet.'] : []),
      ...(mayHaveMore ? ['The service hints at further pages: there may be more than these.'] : []),
    ],
    choose: [
      ...(domains.length > 0 ? [choose('Delete a Domain', 'domain delete', 'domain')] : []),
      ...(ports.length > 0 ? [choose('Close a Port', 'port close', 'port')] : []),
      ...(loadBalancers.length > 0 ? [choose('Delete a Load Balancer', 'lb delete', 'domain')] : []),
    ],
    next: [
      { label: 'Add Domain', operation: 'domain add', input: {} },
      { label: 'Open Port', operation: 'port open', input: {} },
      { label: 'Create Load Balancer', operation: 'lb create', input: {} },
    ],
  };
}

interface Row extends NamedRecord {
  readonly what: string;
  readonly leadsTo: string;
  readonly more: string;
}

/** One table for all three: a message has no more than one. */
function rowsOf({ domains, ports, loadBalancers }: WebgateReading): readonly Row[] {
  return [
    ...domains.map(({ domainName, vpsName = 'not shown', record }) => ({
      what: 'Domain',
      name: domainName,
      leadsTo: vpsName,
      record,
      more: otherWords(record, shownOfPart),
    })),
    ...ports.map((port) => ({
      what: 'Port',
      name: String(port.externalPort),
      leadsTo: describePort(port),
      record: port.record,
      more: otherWords(port.record, shownOfPart),
    })),
    ...loadBalancers.map(({ domainName, backends, record }) => ({
      what: 'Load balancer',
      name: domainName,
      leadsTo: backends.map(describeBackend).join(', ') || 'not shown',
      record,
      more: otherWords(record, shownOfPart),
    })),
  ];
}

function choose(label: string, operation: string, argument: string) {
  return { label, operation, argument, input: {} };
}
