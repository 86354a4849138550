import { z } from 'zod';
import { formatList } from '../../format-list.ts';
import { getWebgate } from '../../hosting/endpoints/webgate.ts';
import { saysNone } from '../../hosting/payloads/entries.ts';
import { parseQuantity } from '../../hosting/payloads/quantity.ts';
import { isRecord, normalizeFieldName, type ServiceRecord } from '../../hosting/payloads/record.ts';
import { readWebgate, type Webgate } from '../../hosting/payloads/webgate.ts';
import { isSecretFieldName } from '../../hosting/secret-detection.ts';
import { optionalArgument } from '../define/arguments/optional-argument.ts';
import { defineRead } from '../define/define-operation.ts';
import type { Fact, Outcome } from '../define/outcome.ts';
import { formatFieldName, moreArgument } from '../format/facts.ts';
import { formatFields } from '../format/format-result.ts';
import { incompleteNote, unreadNote } from '../format/list-notes.ts';
import {
  formatFactsInline,
  formatOtherFacts,
  listRecordSecrets,
  type NamedRecord,
} from '../format/record-columns.ts';
import { formatBackend, formatPort, isUnlinkedPort } from '../format/webgate-parts.ts';
import { shownPartFields } from './target-state.ts';

/** Maximum number of columns for times, such as when a domain was added. */
const maxTimeColumns = 2;

/** Maximum number of lines with further facts. */
const maxDetailLines = 10;

const parts = ['domains', 'ports', 'lbs'] as const;
const partFields = { domains: 'domains', ports: 'ports', lbs: 'loadBalancers' } as const;
const partTitles = { domains: 'Domains', ports: 'Dedicated ports', lbs: 'Load balancers' } as const;

export const webgate = defineRead({
  name: 'webgate',
  heading: 'WebGate',
  summary: 'Show the domains, dedicated ports and load balancers, with quotas and usage',
  aliases: {
    'domain list': { part: 'domains' },
    'domain show': { part: 'domains' },
    'port list': { part: 'ports' },
    'port show': { part: 'ports' },
    'lb list': { part: 'lbs' },
    'lb show': { part: 'lbs' },
  },
  arguments: {
    part: optionalArgument(
      { label: 'Part', example: 'domains', control: { kind: 'choice', options: parts } },
      z.enum(parts, { error: `Choose ${formatList(parts, 'or')}` }),
    ),
    name: optionalArgument(
      { label: 'Name', example: 'app.example.com', hint: 'A domain, an external port, or a VPS.' },
      z.string().trim(),
    ),
    more: moreArgument(),
  },
  endpoints: [getWebgate],
  async run({ read }, { more, part, name }) {
    const data = await read(getWebgate, {});
    const reading = readWebgate(data);
    if (part === undefined) return formatWebgate(reading, { more, isNone: saysNone(data) });
    const none = { domains: [], ports: [], loadBalancers: [] };
    const field = partFields[part];
    const chosen = { ...reading, ...none, [field]: reading[field], otherFields: {} };
    const isNone = saysNone(data) || toRows(reading).length > 0;
    return formatWebgate(chosen, { more, isNone, name, title: partTitles[part] });
  },
});

interface WebgateView {
  readonly more: boolean;
  readonly isNone: boolean;
  readonly title?: 'WebGate' | (typeof partTitles)[(typeof parts)[number]];
  /** If set, only items whose name or target contains this text are shown. */
  readonly name?: string | undefined;
}

function formatWebgate(reading: Webgate, { more, isNone, name, title = 'WebGate' }: WebgateView): Outcome {
  const { domains, ports, loadBalancers, hasMore, otherFields } = reading;
  const quotas = formatQuotas(otherFields);
  const step = { operation: 'webgate', input: {}, more };
  const fields = formatFields(quotas.rest, step, { leading: quotas.facts });
  const rows = toRows(reading).filter(
    (row) => name === undefined || `${row.name} ${row.target}`.toLowerCase().includes(name.toLowerCase()),
  );
  const isUnread = rows.length === 0 && !isNone;
  const times = [
    ...new Set(rows.flatMap(({ facts }) => facts.filter(isTimestamp).map(({ label }) => label))),
  ];
  const columns = times.slice(0, maxTimeColumns);
  const entries = rows.map((row) => ({
    ...row,
    details: formatFactsInline(row.facts.filter(({ label }) => !columns.includes(label))),
  }));
  const detailed = entries.filter(({ details }) => details !== '');
  const isMixed = title === 'WebGate';
  // For a few items, one line of details per item is easier to read than a table cell.
  const hasLines = detailed.length <= maxDetailLines;
  return {
    title: name === undefined ? title : `${title}: ${name}`,
    facts: [
      ...fields.facts,
      ...(hasLines
        ? detailed.map(({ displayName, details }) => ({ label: displayName, value: details }))
        : []),
    ],
    secrets: [...fields.secrets, ...listRecordSecrets(rows)],
    table: {
      columns: [...(isMixed ? ['What'] : []), 'Name', 'Target', ...columns, ...(hasLines ? [] : ['More'])],
      rows: entries.map(({ what, name, target, facts: own, details }) => [
        ...(isMixed ? [what] : []),
        name,
        target,
        ...columns.map((column) => own.find(({ label }) => label === column)?.value ?? '–'),
        ...(hasLines ? [] : [details]),
      ]),
    },
    notes: [
      ...(isUnread ? [unreadNote] : []),
      ...(rows.length === 0 && !isUnread
        ? [
            name === undefined
              ? `There are no ${title === 'WebGate' ? 'domains, dedicated ports or load balancers' : title.toLowerCase()} yet.`
              : 'No entry in the list has this text in its name or target.',
          ]
        : []),
      ...(hasMore ? [incompleteNote] : []),
    ],
    choiceSteps: [
      ...(domains.length > 0 ? [choiceStep('Delete a Domain', 'domain delete', 'domain')] : []),
      ...(ports.length > 0 ? [choiceStep('Close a Port', 'port close', 'port')] : []),
      ...(loadBalancers.length > 0 ? [choiceStep('Delete a Load Balancer', 'lb delete', 'domain')] : []),
    ],
    next: [
      { label: 'Add Domain', operation: 'domain add', input: {} },
      { label: 'Open Port', operation: 'port open', input: {} },
      { label: 'Create Load Balancer', operation: 'lb create', input: {} },
      ...fields.more,
    ],
  };
}

interface Row extends NamedRecord {
  readonly what: string;
  readonly target: string;
  /** The item's name outside the table, such as "Port 43210". */
  readonly displayName: string;
  /** Additional facts from the service. */
  readonly facts: readonly Fact[];
}

/** Returns the rows of a single table with all three kinds, because a Slack message can contain only one table. */
function toRows({ domains, ports, loadBalancers }: Webgate): readonly Row[] {
  return [
    ...domains.map(({ domainName, vpsName = 'not shown', record }) =>
      toRow({ what: 'Domain', name: domainName, target: vpsName, record }),
    ),
    ...ports.map((port) => {
      const name = String(port.externalPort);
      return toRow({ what: 'Port', name, target: formatPort(port), record: port.record });
    }),
    ...loadBalancers.map(({ domainName, backends, record }) => {
      const leadsTo = backends.map(formatBackend).join(', ') || 'not shown';
      return toRow({ what: 'Load balancer', name: domainName, target: leadsTo, record });
    }),
  ];
}

function toRow(row: Omit<Row, 'displayName' | 'facts'>): Row {
  const { what, name, record } = row;
  const facts = formatOtherFacts(record, shownPartFields).filter((fact) => !isUnlinkedPort(fact));
  return { ...row, displayName: what === 'Port' ? `Port ${name}` : name, facts };
}

/**
 * Returns whether a fact is a time. A time gets its own cell, because Slack then shows it in the reader's
 * time zone.
 */
function isTimestamp({ value }: Fact): boolean {
  return typeof value === 'object' && value.kind === 'time';
}

function choiceStep(label: string, operation: string, argument: string) {
  return { label, operation, argument, input: {} };
}

interface QuotaFacts {
  readonly facts: readonly Fact[];
  /** The fields that weren't turned into facts. */
  readonly rest: ServiceRecord;
}

/** Combines quotas and usage into facts such as "2 of 10" if the payload contains both under the same names. */
function formatQuotas(rest: ServiceRecord): QuotaFacts {
  const [quotasField, quotas] = findRecord(rest, /^(quotas?|limits?|max|maximum)$/);
  const [usageField, usage] = findRecord(rest, /^(usages?|used|current|in_?use)$/);
  if (!quotas || !usage) return { facts: [], rest };
  const paired = Object.keys(quotas).filter(
    (field) => !isSecretFieldName(field) && isAmount(quotas[field]) && isAmount(usage[field]),
  );
  const left = {
    ...rest,
    [quotasField]: without(quotas, paired),
    [usageField]: without(usage, paired),
  };
  const facts = paired.map((field) => ({
    label: formatFieldName([field]),
    value: `${usage[field]} of ${quotas[field]}`,
  }));
  return { facts, rest: left };
}

function findRecord(record: ServiceRecord, name: RegExp): [string, ServiceRecord | undefined] {
  for (const [field, value] of Object.entries(record)) {
    if (name.test(normalizeFieldName(field)) && isRecord(value)) return [field, value];
  }
  return ['', undefined];
}

function isAmount(value: unknown): value is number | string {
  const isNoLimit = typeof value === 'string' && /^(unlimited|none|no limit)$/i.test(value);
  return isNoLimit || (typeof value !== 'object' && parseQuantity(value) !== undefined);
}

function without(record: ServiceRecord, fields: readonly string[]): ServiceRecord {
  return Object.fromEntries(Object.entries(record).filter(([field]) => !fields.includes(field)));
}
