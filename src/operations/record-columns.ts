import { formatBytes, formatDuration, formatPercent } from '../charts/figures.ts';
import { bare, type ServiceRecord } from '../hosting/readings/records.ts';
import { readResultSecrets } from '../hosting/readings/results.ts';
import { readFacts } from './facts.ts';
import { nameSecrets } from './name-secrets.ts';
import type { Fact, Secret, Table, Value } from './outcome.ts';

/** Columns beside those that are known: few enough to be read on a phone. */
const mostColumns = 3;

/** Fields named in a note. */
const mostNamed = 10;

/** A record of the service, with what people know it by. */
export interface NamedRecord {
  readonly name: string;
  readonly record: ServiceRecord;
}

export interface RecordColumns extends Table {
  /** Names what found no column. */
  readonly notes: readonly string[];
  readonly secrets: readonly Secret[];
}

/**
 * Makes columns of what records have besides what is shown of them already: those that most of them have, first. `shown` are the
 * bare names of the fields that need none.
 */
export function recordColumns(records: readonly NamedRecord[], shown: RegExp): RecordColumns {
  const rows = records.map(
    ({ record }) => new Map(otherFacts(record, shown).map(({ label, value }) => [label, value])),
  );
  const counts = new Map<string, number>();
  for (const label of rows.flatMap((row) => [...row.keys()])) counts.set(label, (counts.get(label) ?? 0) + 1);
  const labels = [...counts].toSorted(([, a], [, b]) => b - a).map(([label]) => label);
  const columns = labels.slice(0, mostColumns);
  return {
    columns,
    rows: rows.map((row) => columns.map((label): Value => row.get(label) ?? '–')),
    notes: namesNote(labels.slice(mostColumns)),
    secrets: recordSecrets(records),
  };
}

/** Lists the secrets in records, each under the name of its record. */
export function recordSecrets(records: readonly NamedRecord[]): readonly Secret[] {
  return records.flatMap(({ name, record }) =>
    nameSecrets(readResultSecrets(record).secrets).map(({ label, value }) => ({
      label: `${name}: ${label}`,
      value,
    })),
  );
}

/** Reads the facts of a record that are no secrets, besides what is shown of it already. */
export function otherFacts(record: ServiceRecord, shown: RegExp): readonly Fact[] {
  const without = Object.keys(record).filter((field) => shown.test(bare(field)));
  return readFacts(readResultSecrets(record).shown, { without });
}

/** Writes facts in one line. */
export function factWords(facts: readonly Fact[]): string {
  return facts.map(({ label, value }) => `${label}: ${wordsOf(value)}`).join(', ');
}

function wordsOf(value: Value): string {
  if (typeof value === 'string') return value;
  if ('timeMs' in value) return `${new Date(value.timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if ('bytes' in value) return formatBytes(value.bytes);
  if ('percent' in value) return formatPercent(value.percent);
  if ('durationMs' in value) return formatDuration(value.durationMs);
  return Object.values(value).join(' ');
}

function namesNote(labels: readonly string[]): readonly string[] {
  if (labels.length === 0) return [];
  const more = labels.length - mostNamed;
  const names = labels.slice(0, mostNamed).join(', ');
  return [`The service also tells: ${names}${more > 0 ? ` and ${more} more` : ''}.`];
}
