import type { FieldMapping } from '../../hosting/payloads/field-mapping.ts';
import type { FoundMapping } from '../../hosting/payloads/found-mappings.ts';
import { type KnownValue, knownValues } from '../../hosting/payloads/known-values.ts';
import type { NextStep, Outcome, Value } from '../../operations/define/outcome.ts';
import { unitSteps } from '../../operations/format/unit-question.ts';
import type { LearnedPayload, SetMapping } from './service-profile-store.ts';

interface ServiceView {
  readonly payloads: readonly LearnedPayload[];
  readonly mappings: readonly SetMapping[];
}

const notFound = 'not found';
const notSeen = 'no payload yet';
/** The order in which mappings are listed. Those that an admin has to check come first. */
const order: readonly Value[] = [
  'set, but not among the learned fields',
  'unit not known',
  'set',
  'likely',
  'certain',
];
/** Maximum number of buttons that confirm a unit. */
const maxUnitSteps = 4;

/** Formats each known value with its field, an example, and the way in which the field was found. */
export function formatService({ payloads, mappings }: ServiceView): Outcome {
  const found = new Map(payloads.flatMap((payload) => payload.mappings.map((one) => [one.value, one])));
  const set = new Map(mappings.map((one) => [one.value, one]));
  const byEndpoint = new Map(payloads.map((payload) => [payload.endpoint, payload]));
  const rows = knownValues.map((known) =>
    formatRow(known, found.get(known.id), set.get(known.id), byEndpoint.get(known.endpoint)),
  );
  const count = rows.filter(([, , , how]) => how !== notFound && how !== notSeen).length;
  const rank = ([, , , how = '']: readonly Value[]) =>
    order.includes(how) ? order.indexOf(how) : order.length;
  const learnedMs = Math.max(...payloads.map((payload) => payload.learnedMs));
  const unconfirmed = [...found.values()].filter(({ value, units }) => units && !set.has(value));
  return {
    title: `${count} of ${rows.length} values were found in this service's payloads`,
    facts: [
      ...(payloads.length > 0
        ? [{ label: 'Last learned', value: { kind: 'time', timeMs: learnedMs } as const }]
        : []),
      ...(mappings.length > 0 ? [{ label: 'Field mappings set', value: String(mappings.length) }] : []),
    ],
    table: {
      columns: ['Value', 'Field', 'Example', 'Found', 'ID'],
      rows: rows.toSorted((a, b) => rank(a) - rank(b)),
    },
    notes: [
      "A value that wasn't found isn't used. The service's fields are then shown under their own names.",
      ...(unconfirmed.length > 0
        ? [
            'Unit not known: the payload names no unit, so watches and reports use the value only once you confirm it.',
          ]
        : []),
    ],
    next: [
      ...unconfirmed.flatMap(toUnitSteps).slice(0, maxUnitSteps),
      { label: 'Set a Field Mapping…', operation: 'service set', input: {}, opensForm: true },
      { label: 'Learn Again', operation: 'service', input: { learn: true } },
      ...(mappings.length > 0
        ? [{ label: 'Remove All Mappings', operation: 'service reset', input: {} }]
        : []),
    ],
  };
}

function toUnitSteps({
  value,
  fields: [field = ''],
  example,
  units = [],
}: FoundMapping): readonly NextStep[] {
  return typeof example === 'number' ? unitSteps({ value, field, number: example, units }) : [];
}

function formatRow(
  { id, label, isSecret, ...known }: KnownValue,
  found: FoundMapping | undefined,
  set: SetMapping | undefined,
  payload: LearnedPayload | undefined,
): Value[] {
  const code = { kind: 'code', code: id } as const;
  if (set) {
    const learned = payload && [
      payload.fields.map(({ field }) => field),
      ...payload.mappings.map(({ fields }) => fields),
    ];
    const how =
      (learned?.flat().includes(set.field) ?? true) ? 'set' : 'set, but not among the learned fields';
    return [label, { kind: 'code', code: formatField(set) }, '–', how, code];
  }
  if (!found) return [label, '–', '–', payload ? notFound : notSeen, code];
  const { fields, example, units, isCertain } = found;
  const field = fields.join(' and ');
  const shown = units ? String(example) : formatPayloadValue(known, example);
  return [
    label,
    field === '' ? 'names of entries' : { kind: 'code', code: field },
    isSecret || example === undefined ? 'hidden' : shown,
    units ? 'unit not known' : isCertain ? 'certain' : 'likely',
    code,
  ];
}

export function formatPayloadValue(
  { unit, type }: Pick<KnownValue, 'unit' | 'type'>,
  content: string | number | undefined,
): Value {
  if (content === undefined) return 'not in this payload';
  if (typeof content === 'number') {
    if (type === 'time') return { kind: 'time', timeMs: content };
    if (unit === 'percent') return { kind: 'percent', percent: content };
    if (unit === 'bytes') return { kind: 'bytes', bytes: content };
    if (unit === 'bytesPerSecond') return { kind: 'rate', bytesPerSecond: content };
    if (unit === 'seconds') return { kind: 'duration', durationMs: content * 1_000 };
  }
  return String(content);
}

export function formatField({ field, unit }: Pick<FieldMapping, 'field' | 'unit'>): string {
  return unit === undefined ? field : `${field} (${unit})`;
}

/** Formats the mappings from the file that HOSTING_PROFILE names. */
export function formatFileMappings(mappings: readonly FieldMapping[]): Outcome {
  return {
    title: 'Field mappings are set in the file that HOSTING_PROFILE names',
    table: {
      columns: ['Value', 'Field', 'ID'],
      rows: mappings.map((mapping) => [
        knownValues.find(({ id }) => id === mapping.value)?.label ?? mapping.value,
        mapping.field === '' ? 'not shown' : { kind: 'code', code: formatField(mapping) },
        { kind: 'code', code: mapping.value },
      ]),
    },
    notes: ["Rackhand doesn't learn mappings here. To change one, edit that file and restart Rackhand."],
  };
}
