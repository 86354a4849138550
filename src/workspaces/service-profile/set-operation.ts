import { z } from 'zod';
import { RackhandError } from '../../errors.ts';
import { formatList } from '../../format-list.ts';
import { type FieldMapping, mappingUnits } from '../../hosting/payloads/field-mapping.ts';
import { mapPayload, readMappings } from '../../hosting/payloads/found-mappings.ts';
import {
  findKnownValue,
  type KnownValue,
  knownValues,
  payloadNames,
} from '../../hosting/payloads/known-values.ts';
import { findNearestName } from '../../nearest-name.ts';
import { type Argument, remoteArgument, textArgument } from '../../operations/define/arguments/argument.ts';
import type { FieldProblem } from '../../operations/define/arguments/raw-input.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../operations/define/operation.ts';
import { formatField, formatPayloadValue } from './format-service.ts';
import { readFirstVps, toPayloadCall } from './sample-service.ts';
import type { ServiceProfileStore } from './service-profile-store.ts';
import { createFieldChoices, requireValue, valueChoices } from './value-choices.ts';

interface SetDependencies {
  readonly store: ServiceProfileStore;
  /** Returns why no mapping can be set (they come from a file), or undefined. */
  readonly findRefusal: () => string | undefined;
  readonly now: () => number;
}

/** Maximum age (ms) of the cached payload on which a mapping is tried. */
const maxPayloadAgeMs = 60_000;
/** How many fields a message lists. */
const maxListedFields = 12;

/** Declares `service set`, with which an admin chooses the field of a value. */
export function createSetOperation({ store, findRefusal, now }: SetDependencies): Operation {
  async function findProblems(teamId: string, id: string, field: string): Promise<readonly FieldProblem[]> {
    const refusal = findRefusal();
    if (refusal !== undefined) return [{ path: 'value', message: refusal }];
    const known = findKnownValue(id);
    if (!known) return [];
    const payload = await store.findPayload(teamId, known.endpoint);
    const fields = payload?.fields.map((one) => one.field) ?? [];
    const name = payloadNames[known.endpoint];
    if (fields.length === 0)
      return [
        {
          path: 'field',
          message: `Rackhand hasn't read ${name} yet. Press Learn Again in the service profile first`,
        },
      ];
    if (fields.includes(field)) return [];
    const nearest = findNearestName(field, fields);
    const hint = nearest === undefined ? `It has ${listSome(fields)}` : `Did you mean ${nearest}?`;
    return [{ path: 'field', message: `There's no field "${field}" in the payload. ${hint}` }];
  }

  return defineLocal({
    name: 'service set',
    heading: 'Set a field mapping',
    summary: 'Choose the field that a value is taken from',
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
    validate: ({ actor }, { value, field }) => findProblems(actor.teamId, value, field),
    async run(context, { value, field, unit }) {
      const { teamId, userId } = context.actor;
      const known = requireValue(value);
      const mapping = { value, field, ...(unit !== '' && { unit }) };
      const result = await tryMapping(context, known, mapping);
      if (result.content === undefined && !result.isMissing)
        throw new RackhandError('input_invalid', describeUnreadable(known, mapping));
      await store.saveMapping(teamId, { ...mapping, setBy: userId, setMs: now(), missingSinceMs: null });
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

/** Formats the first `maxListedFields` fields. */
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
      hint: `Only if the field doesn't name it: ${mappingUnits.join(', ')}.`,
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

/** Applies a mapping that isn't stored yet to the payload of its value. */
async function tryMapping({ read }: OperationContext, known: KnownValue, mapping: FieldMapping) {
  const call: typeof read = (endpoint, input) => read(endpoint, input, { maxAgeMs: maxPayloadAgeMs });
  const vpsName = await readFirstVps((name) => {
    const { endpoint, input } = toPayloadCall(name, '');
    return call(endpoint, input);
  });
  const { endpoint, input } = toPayloadCall(known.endpoint, vpsName);
  const payload = mapPayload(known.endpoint, await call(endpoint, input), [mapping], vpsName);
  return {
    content: readMappings(known.endpoint, payload.data, vpsName).find(({ value }) => value === known.id)
      ?.example,
    isMissing: payload.missing.length > 0,
    about: endpoint.path.includes('{vps_name}') ? `Now, for ${vpsName}` : 'Now',
  };
}

function describeUnreadable({ label, unit: wanted }: KnownValue, { field, unit }: FieldMapping): string {
  const isUnitMissing = unit === undefined && wanted === 'bytes';
  const hint = isUnitMissing ? ` If it's an amount, add its unit, such as --unit mb.` : '';
  return `${label} can't be read from ${field}: its value doesn't fit.${hint}`;
}
