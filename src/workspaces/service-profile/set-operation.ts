import { z } from 'zod';
import { RackhandError } from '../../errors.ts';
import { formatList } from '../../format-list.ts';
import { allReadings, findReading, payloadNames } from '../../hosting/profile/readings/all-readings.ts';
import {
  type Correction,
  correctionUnits,
  fitsOperator,
  type Operator,
} from '../../hosting/profile/readings/correction.ts';
import type { Reading } from '../../hosting/profile/readings/reading.ts';
import { correctPayload } from '../../hosting/profile/service/correct-payload.ts';
import { readFact } from '../../hosting/profile/service/facts.ts';
import { type Argument, remoteArgument, textArgument } from '../../operations/define/arguments/argument.ts';
import { findNearestName } from '../../operations/define/arguments/nearest-name.ts';
import type { FieldProblem } from '../../operations/define/arguments/raw-input.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../operations/define/operation.ts';
import { formatField, formatReadingValue } from './format-service.ts';
import { createFieldChoices, readingChoices, requireReading } from './reading-choices.ts';
import { readFirstVps, toReadingCall } from './sample-service.ts';
import type { ServiceProfileStore } from './service-profile-store.ts';

interface SetDependencies {
  readonly store: ServiceProfileStore;
  /** Returns why no reading can be corrected (the corrections come from a file), or undefined. */
  readonly findRefusal: () => string | undefined;
  readonly now: () => number;
}

/** Maximum age (ms) of the cached payload on which a correction is tried. */
const maxPayloadAgeMs = 60_000;
/** How many fields a message lists. */
const maxListedFields = 12;
/** Maximum length of a field's path. */
const maxFieldChars = 500;

/** Declares `service set`, with which an admin chooses the field of a reading. */
export function createSetOperation({ store, findRefusal, now }: SetDependencies): Operation {
  async function findProblems(teamId: string, given: FieldInput): Promise<readonly FieldProblem[]> {
    const refusal = findRefusal();
    if (refusal !== undefined) return [{ path: 'reading', message: refusal }];
    const reading = findReading(given.reading);
    if (!reading) return [];
    const payload = await store.findPayload(teamId, reading.endpoint);
    const fields = payload?.fields.map(({ field }) => field) ?? [];
    const name = payloadNames[reading.endpoint];
    if (fields.length === 0)
      return [
        {
          path: 'field',
          message: `Rackhand hasn't read ${name} yet. Press Learn Again in the service profile first`,
        },
      ];
    const unknown = (['field', ...operatorNames] as const).flatMap((path): FieldProblem[] => {
      const field = given[path];
      if (field === '' || fields.includes(field)) return [];
      const nearest = findNearestName(field, fields);
      const hint = nearest === undefined ? `It has ${listSome(fields)}` : `Did you mean ${nearest}?`;
      return [{ path, message: `There's no field "${field}" in the payload. ${hint}` }];
    });
    return [...unknown, ...findOperatorProblems(reading, given)];
  }

  const fieldChoices = createFieldChoices(store);
  const secondFieldArgument = (
    flag: OperatorName,
    texts: Pick<Argument, 'label' | 'example'>,
  ): Argument<string> => ({
    flag,
    ...texts,
    shownWhen: whenReading((reading) => fitsOperator(reading, operators[flag])),
    valueName: 'FIELD',
    control: { kind: 'remote', source: fieldChoices },
    required: false,
    schema: z.preprocess(
      (value) => value ?? '',
      z
        .string()
        .trim()
        .max(maxFieldChars, { error: `Use at most ${maxFieldChars} characters` }),
    ),
  });

  return defineLocal({
    name: 'service set',
    heading: 'Correct a reading',
    summary: 'Choose the field that a reading is taken from',
    arguments: {
      reading: remoteArgument({ source: readingChoices, label: 'Reading', example: 'live.cpu' }),
      field: remoteArgument({
        source: fieldChoices,
        label: 'Field',
        example: 'cpu_load',
        hint: "One of the payload's own fields. The form lists them.",
        fieldHint: '',
      }),
      of: secondFieldArgument('of', { label: 'Percentage of', example: 'mem_total' }),
      minus: secondFieldArgument('minus', { label: 'Minus', example: 'mem_free' }),
      plus: secondFieldArgument('plus', { label: 'Plus', example: 'rx_v6' }),
      unit: unitArgument(),
    },
    button: 'Set',
    right: 'admin',
    target: ({ reading }) => reading,
    validate: ({ actor }, given) => findProblems(actor.teamId, given),
    async run(context, { reading: id, unit, ...fields }) {
      const { teamId, userId } = context.actor;
      const reading = requireReading(id);
      const field = joinFields(fields);
      const correction = { reading: id, field, ...(unit !== '' && { unit }) };
      const result = await tryCorrection(context, reading, correction);
      if (result.value === undefined && !result.isMissing)
        throw new RackhandError('input_invalid', describeUnreadable(reading, correction));
      const stored = { ...correction, setBy: userId, setMs: now(), missingSinceMs: null };
      await store.saveCorrection(teamId, stored);
      return {
        title: `${reading.label} now comes from ${formatField(correction)}`,
        facts: [{ label: result.about, value: formatReadingValue(reading, result.value) }],
        next: [
          { label: 'Show Service Profile', operation: 'service', input: {} },
          { label: 'Remove Correction', operation: 'service reset', input: { reading: id } },
        ],
      };
    },
  });
}

/** The operator between the two fields, by the argument of the second field. */
const operators = { of: '/', minus: '-', plus: '+' } as const satisfies Record<string, Operator>;

type OperatorName = keyof typeof operators;
const operatorNames = Object.keys(operators) as OperatorName[];

type FieldInput = Readonly<Record<'reading' | 'field' | OperatorName, string>>;

/** Joins the chosen fields in the form that a correction stores: `used / total`. */
function joinFields(given: Omit<FieldInput, 'reading'>): string {
  const second = operatorNames.find((name) => given[name] !== '');
  return second === undefined ? given.field : `${given.field} ${operators[second]} ${given[second]}`;
}

function findOperatorProblems(reading: Reading, given: FieldInput): readonly FieldProblem[] {
  const [path, ...others] = operatorNames.filter((name) => given[name] !== '');
  if (path === undefined) return [];
  if (others.length > 0) return [{ path: others[0] ?? path, message: 'Choose one second field' }];
  if (fitsOperator(reading, operators[path])) return [];
  const message = path === 'of' ? `${reading.label} isn't a percentage` : `${reading.label} isn't an amount`;
  return [{ path, message }];
}

/** Formats the first `maxListedFields` fields. */
function listSome(fields: readonly string[]): string {
  const more = fields.length - maxListedFields;
  return formatList([...fields.slice(0, maxListedFields), ...(more > 0 ? [`${more} more`] : [])], 'and');
}

/** Returns the condition that shows an argument only for readings that fit. */
function whenReading(fits: (reading: Reading) => boolean): NonNullable<Argument['shownWhen']> {
  return { argument: 'reading', choices: allReadings.filter(fits).map(({ id }) => id) };
}

function unitArgument(): Argument<string> {
  const shownWhen = whenReading(({ unit }) => unit !== undefined && unit !== 'seconds');
  const argument = textArgument(
    {
      label: 'Unit',
      example: 'mb',
      flag: 'unit',
      initial: '',
      hint: `Only if the field doesn't name it: ${correctionUnits.join(', ')}.`,
    },
    z
      .string()
      .trim()
      .toLowerCase()
      .refine((unit) => unit === '' || correctionUnits.some((known) => known === unit), {
        error: `Unit must be one of ${correctionUnits.join(', ')}`,
      }),
  );
  return { ...argument, shownWhen };
}

/** Applies a correction that isn't stored yet to the payload of its reading. */
async function tryCorrection({ read }: OperationContext, reading: Reading, correction: Correction) {
  const call: typeof read = (endpoint, input) => read(endpoint, input, { maxAgeMs: maxPayloadAgeMs });
  const vpsName = await readFirstVps((name) => {
    const { endpoint, input } = toReadingCall(name, '');
    return call(endpoint, input);
  });
  const { endpoint, input } = toReadingCall(reading.endpoint, vpsName);
  const payload = correctPayload(reading.endpoint, await call(endpoint, input), [correction], vpsName);
  return {
    value: readFact(reading, payload.data, vpsName),
    isMissing: payload.missing.length > 0,
    about: endpoint.path.includes('{vps_name}') ? `Now, for ${vpsName}` : 'Now',
  };
}

function describeUnreadable({ label, unit: kind }: Reading, { field, unit }: Correction): string {
  const isUnitMissing = unit === undefined && kind === 'bytes';
  const hint = isUnitMissing ? ` If it's an amount, add its unit, such as --unit mb.` : '';
  return `${label} can't be read from ${field}: its value doesn't fit.${hint}`;
}
