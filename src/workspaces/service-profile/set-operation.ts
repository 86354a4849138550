import { z } from 'zod';
import { RackhandError } from '../../errors.ts';
import { formatList } from '../../format-list.ts';
import { type FieldMapping, mappingUnits } from '../../hosting/payloads/field-mapping.ts';
import { hasField, readMappings } from '../../hosting/payloads/found-mappings.ts';
import { type KnownValue, knownValues, payloadNames } from '../../hosting/payloads/known-values.ts';
import { applyMappings } from '../../hosting/payloads/matcher.ts';
import { findNearestName } from '../../nearest-name.ts';
import { type Argument, remoteArgument, textArgument } from '../../operations/define/arguments/argument.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../operations/define/operation.ts';
import { formatField, formatPayloadValue } from './format-service.ts';
import { readSampleVps, toPayloadCall } from './sample-service.ts';
import type { ServiceProfileStore } from './service-profile-store.ts';
import { createFieldChoices, requireValue, valueChoices } from './value-choices.ts';

interface SetDependencies {
  readonly store: ServiceProfileStore;
  /** Returns why no mapping can be set (the mappings come from a file), or undefined if they can be set. */
  readonly findRefusal: () => string | undefined;
  readonly now: () => number;
}

/** Maximum age (ms) of the cached payload that a mapping is tried on. */
const maxPayloadAgeMs = 60_000;
/** Maximum number of fields listed in a message. */
const maxListedFields = 12;

/** Declares `service set`, which lets an admin choose the field for a value. */
export function createSetOperation({ store, findRefusal, now }: SetDependencies): Operation {
  /** Throws `input_invalid` if the learned payload doesn't have the field. */
  async function assertField(teamId: string, { endpoint }: KnownValue, field: string): Promise<void> {
    const fields = (await store.findPayload(teamId, endpoint))?.fields.map((one) => one.field) ?? [];
    if (fields.includes(field)) return;
    const nearest = findNearestName(field, fields);
    const known = fields.length === 0 ? '' : ` It has ${listSome(fields)}`;
    const hint = nearest === undefined ? known : ` Did you mean ${nearest}?`;
    throw new RackhandError(
      'input_invalid',
      `There's no field "${field}" in ${payloadNames[endpoint]}.${hint}`,
    );
  }

  return defineLocal({
    name: 'service set',
    heading: 'Set a field mapping',
    summary: 'Choose which field a value comes from',
    arguments: {
      value: remoteArgument({ source: valueChoices, label: 'Value', example: 'live.cpu' }),
      field: remoteArgument({
        source: createFieldChoices(store),
        label: 'Field',
        example: 'cpu_load',
        hint: "One of the payload's own fields. The form lists them.",
        fieldHint: '',
      }),
      unit: unitArgument(),
    },
    button: 'Set',
    right: 'admin',
    target: ({ value }) => value,
    async validate() {
      const refusal = findRefusal();
      return refusal === undefined ? [] : [{ path: 'value', message: refusal }];
    },
    async run(context, { value, field, unit }) {
      const { teamId, userId } = context.actor;
      const known = requireValue(value);
      const mapping = { value, field, ...(unit !== '' && { unit }) };
      const result = await tryMapping(context, known, mapping);
      if (result.isMissing) await assertField(teamId, known, field);
      if (result.content === undefined && !result.isMissing)
        throw new RackhandError('input_invalid', describeUnreadable(known, mapping));
      await store.saveMapping(teamId, { ...mapping, setBy: userId, setMs: now() });
      return {
        title: `${known.label} now comes from ${formatField(mapping)}`,
        facts: [{ label: result.about, value: formatPayloadValue(known, result.content) }],
        next: [
          { label: 'Show Service Profile', operation: 'service', input: {} },
          { label: 'Remove Mapping', operation: 'service reset', input: { value } },
        ],
      };
    },
  });
}

function listSome(fields: readonly string[]): string {
  const more = fields.length - maxListedFields;
  return formatList([...fields.slice(0, maxListedFields), ...(more > 0 ? [`${more} more`] : [])], 'and');
}

function unitArgument(): Argument<string> {
  const withUnit = knownValues.filter(({ unit }) => unit !== undefined && unit !== 'seconds');
  const argument = textArgument(
    {
      label: 'Unit',
      example: 'mb',
      flag: 'unit',
      initial: '',
      hint: `Needed only if the field doesn't name the unit: ${mappingUnits.join(', ')}.`,
    },
    z
      .string()
      .trim()
      .toLowerCase()
      .refine((unit) => unit === '' || mappingUnits.some((known) => known === unit), {
        error: `Unit must be one of ${mappingUnits.join(', ')}`,
      }),
  );
  return { ...argument, shownWhen: { argument: 'value', choices: withUnit.map(({ id }) => id) } };
}

/** Tries a mapping before it is stored, on the payload that contains its value. */
async function tryMapping({ read: load }: OperationContext, known: KnownValue, mapping: FieldMapping) {
  const call: typeof load = (endpoint, input) => load(endpoint, input, { maxAgeMs: maxPayloadAgeMs });
  const vpsName = await readSampleVps((name) => {
    const { endpoint, input } = toPayloadCall(name, '');
    return call(endpoint, input);
  });
  const { endpoint, input } = toPayloadCall(known.endpoint, vpsName);
  const data = await call(endpoint, input);
  const read = readMappings(known.endpoint, applyMappings(data, [mapping]), vpsName);
  return {
    content: read.find(({ value }) => value === known.id)?.example,
    isMissing: !hasField(known.endpoint, data, mapping.field, vpsName),
    about: endpoint.path.includes('{vps_name}') ? `Now, for ${vpsName}` : 'Now',
  };
}

function describeUnreadable({ label, unit: wanted }: KnownValue, { field, unit }: FieldMapping): string {
  const isUnitMissing = unit === undefined && wanted !== undefined;
  const example = wanted === 'percent' ? wanted : 'mb';
  const hint = isUnitMissing ? ` If the field names no unit, add it, such as --unit ${example}.` : '';
  return `${label} can't be read from ${field}: its value doesn't fit.${hint}`;
}
