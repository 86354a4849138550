import { getWebgate } from '../../hosting/endpoints/webgate.ts';
import { readWebgate, type WebgateReading } from '../../hosting/readings/webgate.ts';
import { defineRead } from '../operation.ts';
import type { Fact, Outcome } from '../outcome.ts';
import { factWords, type NamedRecord, otherFacts, recordSecrets } from '../record-columns.ts';
import { tellResult } from '../tell-result.ts';
import { describeBackend, describePort, isNoPort } from './describe.ts';
import { shownOfPart } from './present.ts';
import { readQuotas } from './quota-facts.ts';

/** Columns of moments, such as when something was added. */
const mostTimes = 2;

/** Lines of what else the service tells. */
const mostLines = 10;

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
  const times = [...new Set(rows.flatMap(({ facts }) => facts.filter(isMoment).map(({ label }) => label)))];
  const columns = times.slice(0, mostTimes);
  const told = rows.map((row) => ({
    ...row,
    more: factWords(row.facts.filter(({ label }) => !columns.includes(label))),
  }));
  const detailed = told.filter(({ more }) => more !== '');
  // A line each holds more than a cell, as long as they are few.
  const hasLines = detailed.length <= mostLines;
  return {
    title: 'WebGate',
    facts: [
      ...facts,
      ...(hasLines ? detailed.map(({ called, more }) => ({ label: called, value: more })) : []),
    ],
    secrets: [...secrets, ...recordSecrets(rows)],
    table: {
      columns: ['What', 'Name', 'Leads to', ...columns, ...(hasLines ? [] : ['More'])],
      rows: told.map(({ what, name, leadsTo, facts: own, more }) => [
        what,
        name,
        leadsTo,
        ...columns.map((column) => own.find(({ label }) => label === column)?.value ?? '–'),
        ...(hasLines ? [] : [more]),
      ]),
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
  /** What tells it apart among the three kinds. */
  readonly called: string;
  /** What the service tells besides. */
  readonly facts: readonly Fact[];
}

/** One table for all three: a message has no more than one. */
function rowsOf({ domains, ports, loadBalancers }: WebgateReading): readonly Row[] {
  return [
    ...domains.map(({ domainName, vpsName = 'not shown', record }) =>
      rowOf({ what: 'Domain', name: domainName, leadsTo: vpsName, record }),
    ),
    ...ports.map((port) => {
      const name = String(port.externalPort);
      return rowOf({ what: 'Port', name, leadsTo: describePort(port), record: port.record });
    }),
    ...loadBalancers.map(({ domainName, backends, record }) => {
      const leadsTo = backends.map(describeBackend).join(', ') || 'not shown';
      return rowOf({ what: 'Load balancer', name: domainName, leadsTo, record });
    }),
  ];
}

function rowOf(row: Omit<Row, 'called' | 'facts'>): Row {
  const { what, name, record } = row;
  const facts = otherFacts(record, shownOfPart).filter((fact) => !isNoPort(fact));
  return { ...row, called: what === 'Port' ? `Port ${name}` : name, facts };
}

/** A moment has a cell of its own, where it is read in its reader's zone. */
function isMoment({ value }: Fact): boolean {
  return typeof value === 'object' && 'timeMs' in value;
}

function choose(label: string, operation: string, argument: string) {
  return { label, operation, argument, input: {} };
}
