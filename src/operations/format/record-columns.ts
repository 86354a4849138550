import {
  formatBytes,
  formatDuration,
  formatPercent,
  formatRate,
} from '../../charts/format/format-quantity.ts';
import { normalizeFieldName, type ServiceRecord } from '../../hosting/payloads/record.ts';
import { redactResult } from '../../hosting/secret-redaction.ts';
import type { Fact, Secret, Table, Value } from '../define/outcome.ts';
import { formatFacts } from './facts.ts';
import { labelSecrets } from './label-secrets.ts';

/** Maximum number of extra columns. More aren't readable on a phone. */
const maxColumns = 3;

/** A record from the service, with its display name. */
export interface NamedRecord {
  readonly name: string;
  readonly record: ServiceRecord;
}

export interface RecordColumns extends Table {
  /** Whether some fields have no column. */
  readonly hasMore: boolean;
  readonly secrets: readonly Secret[];
}

/**
 * Creates extra columns from the most common fields of the records. `shown` matches fields that already
 * have a column. With `more`, a last column contains all other fields.
 */
export function buildRecordColumns(
  records: readonly NamedRecord[],
  { shown, more }: { readonly shown?: RegExp; readonly more: boolean },
): RecordColumns {
  const facts = records.map(({ record }) => formatOtherFacts(record, shown));
  const counts = new Map<string, number>();
  for (const { label } of facts.flat()) counts.set(label, (counts.get(label) ?? 0) + 1);
  const labels = [...counts].toSorted(([, a], [, b]) => b - a).map(([label]) => label);
  const columns = labels.slice(0, maxColumns);
  const hasRest = labels.length > maxColumns;
  return {
    columns: [...columns, ...(more && hasRest ? ['More'] : [])],
    rows: facts.map((own) => {
      const byLabel = new Map(own.map(({ label, value }) => [label, value]));
      const rest = own.filter(({ label }) => !columns.includes(label));
      return [
        ...columns.map((label): Value => byLabel.get(label) ?? '–'),
        ...(more && hasRest ? [formatFactsInline(rest) || '–'] : []),
      ];
    }),
    hasMore: hasRest && !more,
    secrets: listRecordSecrets(records),
  };
}

/** Returns the secrets in records, each labeled with the name of its record. */
export function listRecordSecrets(records: readonly NamedRecord[]): readonly Secret[] {
  return records.flatMap(({ name, record }) =>
    labelSecrets(redactResult(record).secrets).map(({ label, value }) => ({
      label: `${name}: ${label}`,
      value,
    })),
  );
}

/** Returns the facts of a record, without its secrets and without the fields that are already shown. */
export function formatOtherFacts(record: ServiceRecord, shown?: RegExp): readonly Fact[] {
  const omit = Object.keys(record).filter((field) => shown?.test(normalizeFieldName(field)));
  return formatFacts(redactResult(record).redacted, { omit });
}

export function formatFactsInline(facts: readonly Fact[]): string {
  return facts.map(({ label, value }) => `${label}: ${formatValueInline(value)}`).join(', ');
}

function formatValueInline(value: Value): string {
  if (typeof value === 'string') return value;
  switch (value.kind) {
    case 'time':
      return `${new Date(value.timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    case 'bytes':
      return formatBytes(value.bytes);
    case 'percent':
      return formatPercent(value.percent);
    case 'duration':
      return formatDuration(value.durationMs);
    case 'rate':
      return formatRate(value.bytesPerSecond);
    case 'state':
      return value.state;
    case 'code':
      return value.code;
    case 'link':
      return value.url;
    case 'channel':
      return value.channel;
    case 'person':
      return value.person;
    case 'userGroup':
      return value.userGroup;
  }
}
