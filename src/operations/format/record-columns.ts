import {
  formatBytes,
  formatDuration,
  formatPercent,
  formatRate,
} from '../../charts/format/format-quantity.ts';
import { normalizeFieldName, type ServiceRecord } from '../../hosting/profile/values/records.ts';
import { redactResult } from '../../hosting/secret-redaction.ts';
import type { Fact, Secret, Table, Value } from '../define/outcome.ts';
import { formatFacts } from './facts.ts';
import { labelSecrets } from './label-secrets.ts';

/** Maximum number of extra columns that are readable on a phone. */
const maxColumns = 3;

/** How many fields a note lists by name. */
const maxNamedFields = 10;

/** A record of the service and its display name. */
export interface NamedRecord {
  readonly name: string;
  readonly record: ServiceRecord;
}

export interface RecordColumns extends Table {
  /** Notes that name the fields without a column. */
  readonly notes: readonly string[];
  readonly secrets: readonly Secret[];
}

/**
 * Creates extra columns from the fields that most records have. `shown` matches fields that already
 * have a column.
 */
export function buildRecordColumns(records: readonly NamedRecord[], shown?: RegExp): RecordColumns {
  const rows = records.map(
    ({ record }) => new Map(formatOtherFacts(record, shown).map(({ label, value }) => [label, value])),
  );
  const counts = new Map<string, number>();
  for (const label of rows.flatMap((row) => [...row.keys()])) counts.set(label, (counts.get(label) ?? 0) + 1);
  const labels = [...counts].toSorted(([, a], [, b]) => b - a).map(([label]) => label);
  const columns = labels.slice(0, maxColumns);
  return {
    columns,
    rows: rows.map((row) => columns.map((label): Value => row.get(label) ?? '–')),
    notes: formatOmittedNote(labels.slice(maxColumns)),
    secrets: listRecordSecrets(records),
  };
}

/** Returns the secrets in records. Each is labelled with the name of its record. */
export function listRecordSecrets(records: readonly NamedRecord[]): readonly Secret[] {
  return records.flatMap(({ name, record }) =>
    labelSecrets(redactResult(record).secrets).map(({ label, value }) => ({
      label: `${name}: ${label}`,
      value,
    })),
  );
}

/** Returns the facts of a record, without its secrets and the fields already shown. */
export function formatOtherFacts(record: ServiceRecord, shown?: RegExp): readonly Fact[] {
  const omit = Object.keys(record).filter((field) => shown?.test(normalizeFieldName(field)));
  return formatFacts(redactResult(record).redacted, { omit });
}

/** Formats facts on one line. */
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
    case 'channel':
      return value.channel;
    case 'person':
      return value.person;
    case 'userGroup':
      return value.userGroup;
  }
}

function formatOmittedNote(labels: readonly string[]): readonly string[] {
  if (labels.length === 0) return [];
  const more = labels.length - maxNamedFields;
  const names = labels.slice(0, maxNamedFields).join(', ');
  return [`Also in the service's response: ${names}${more > 0 ? ` and ${more} more` : ''}.`];
}
