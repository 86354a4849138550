import { allReadings } from '../../hosting/profile/readings/all-readings.ts';
import type { Correction } from '../../hosting/profile/readings/correction.ts';
import type { Reading } from '../../hosting/profile/readings/reading.ts';
import { isList, type ReadingValue } from '../../hosting/profile/service/facts.ts';
import type { FoundReading } from '../../hosting/profile/service/infer.ts';
import type { Fact, Outcome, Value } from '../../operations/define/outcome.ts';
import type { LearnedPayload, StoredCorrection } from './service-profile-store.ts';

interface ServiceView {
  readonly payloads: readonly LearnedPayload[];
  readonly corrections: readonly StoredCorrection[];
  /** The corrections from the file that HOSTING_PROFILE names, if it is set. */
  readonly fileCorrections?: readonly Correction[] | undefined;
}

const notFound = 'not found';

/** Formats each reading with its field, an example, and how the field was found. */
export function formatService({ payloads, corrections, fileCorrections }: ServiceView): Outcome {
  if (fileCorrections) return formatFile(fileCorrections);
  const findings = new Map(payloads.flatMap((payload) => payload.findings.map((one) => [one.reading, one])));
  const corrected = new Map(corrections.map((one) => [one.reading, one]));
  const endpoints = new Set(payloads.map(({ endpoint }) => endpoint));
  const rows = allReadings.map((reading) =>
    formatRow(reading, {
      finding: findings.get(reading.id),
      correction: corrected.get(reading.id),
      isSeen: endpoints.has(reading.endpoint),
    }),
  );
  const isFound = (row: readonly Value[]) => row[3] !== notFound && row[3] !== notSeen;
  const found = rows.filter(isFound);
  return {
    title: `${found.length} of ${rows.length} readings are found in this service's payloads`,
    facts: formatFacts(payloads, corrections),
    table: {
      columns: ['Reading', 'Field', 'Example', 'Found', 'ID'],
      rows: rows.toSorted((a, b) => rankRow(a) - rankRow(b)),
    },
    notes: [
      "If a reading wasn't found, Rackhand can't use it. The service's fields are then shown under their own names.",
      "Likely: the field's unit is unclear, or another field contradicts it. Check these first.",
    ],
    next: [
      { label: 'Correct a Reading…', operation: 'service set', input: {}, opensForm: true },
      { label: 'Learn Again', operation: 'service', input: { learn: true } },
      ...(corrections.length > 0
        ? [{ label: 'Remove All Corrections', operation: 'service reset', input: {} }]
        : []),
    ],
  };
}

const notSeen = 'no payload yet';

/** Readings that an admin has to check come first. */
const order: readonly Value[] = [
  'set, but not in the latest payload',
  'set',
  'likely',
  'calculated',
  'certain',
];

function rankRow([, , , how = '']: readonly Value[]): number {
  const rank = order.indexOf(how);
  return rank === -1 ? order.length : rank;
}

interface RowParts {
  readonly finding: FoundReading | undefined;
  readonly correction: StoredCorrection | undefined;
  /** Whether a payload of the reading's endpoint has been learned. */
  readonly isSeen: boolean;
}

function formatRow(reading: Reading, { finding, correction, isSeen }: RowParts): Value[] {
  const { id, label, isSecret } = reading;
  if (correction) {
    const how = correction.missingSinceMs === null ? 'set' : 'set, but not in the latest payload';
    return [label, { kind: 'code', code: formatField(correction) }, '–', how, { kind: 'code', code: id }];
  }
  if (!finding) return [label, '–', '–', isSeen ? notFound : notSeen, { kind: 'code', code: id }];
  const fields = finding.fields.join(' and ');
  return [
    label,
    fields === ''
      ? reading.type === 'names'
        ? 'names of entries'
        : 'several fields'
      : { kind: 'code', code: fields },
    isSecret || finding.example === undefined ? 'hidden' : formatReadingValue(reading, finding.example),
    finding.isCalculated && !finding.isCertain ? 'calculated' : finding.isCertain ? 'certain' : 'likely',
    { kind: 'code', code: id },
  ];
}

/** Formats the value of a reading in its unit. */
export function formatReadingValue(
  { unit, type }: Pick<Reading, 'unit' | 'type'>,
  value: ReadingValue | undefined,
): Value {
  if (value === undefined) return 'not in this payload';
  if (typeof value === 'number') {
    if (unit === 'percent') return { kind: 'percent', percent: value };
    if (unit === 'bytes') return { kind: 'bytes', bytes: value };
    if (unit === 'bytesPerSecond') return { kind: 'rate', bytesPerSecond: value };
    if (unit === 'seconds') return { kind: 'duration', durationMs: value * 1_000 };
  }
  if (typeof value !== 'object') {
    const timeMs = type === 'time' ? Date.parse(String(value)) : Number.NaN;
    return Number.isNaN(timeMs) ? String(value) : { kind: 'time', timeMs };
  }
  if (!isList(value) && type === 'series') {
    return formatReadingValue({ type, ...(unit && { unit }) }, value.last);
  }
  const entries = isList(value)
    ? value.map(String)
    : Object.entries(value).map(([name, one]) => `${name}: ${one}`);
  return `${entries.slice(0, maxListed).join(', ')}${entries.length > maxListed ? ', …' : ''}`;
}

/** How many entries of a list an example shows. */
const maxListed = 5;

/** Formats the field of a correction with its unit. */
export function formatField({ field, unit }: Pick<Correction, 'field' | 'unit'>): string {
  return unit === undefined ? field : `${field} (${unit})`;
}

function formatFacts(
  payloads: readonly LearnedPayload[],
  corrections: readonly StoredCorrection[],
): readonly Fact[] {
  const learnedMs = Math.max(...payloads.map((payload) => payload.learnedMs));
  return [
    ...(payloads.length > 0
      ? [{ label: 'Last learned', value: { kind: 'time' as const, timeMs: learnedMs } }]
      : []),
    ...(corrections.length > 0 ? [{ label: 'Corrections', value: String(corrections.length) }] : []),
  ];
}

function formatFile(corrections: readonly Correction[]): Outcome {
  return {
    title: 'Readings are set in the file that HOSTING_PROFILE names',
    table: {
      columns: ['Reading', 'Field', 'ID'],
      rows: corrections.map(({ reading: id, ...correction }) => [
        allReadings.find((reading) => reading.id === id)?.label ?? id,
        correction.field === '' ? 'not shown' : { kind: 'code', code: formatField(correction) },
        { kind: 'code', code: id },
      ]),
    },
    notes: ['Rackhand learns nothing here. To change a reading, edit that file and restart Rackhand.'],
  };
}
