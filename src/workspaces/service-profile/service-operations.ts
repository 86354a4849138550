import { z } from 'zod';
import { RackhandError } from '../../errors.ts';
import { findReading } from '../../hosting/profile/readings/all-readings.ts';
import { type Correction, correctionUnits } from '../../hosting/profile/readings/correction.ts';
import type { Reading } from '../../hosting/profile/readings/reading.ts';
import { readFact } from '../../hosting/profile/service/facts.ts';
import { type Argument, remoteArgument, textArgument } from '../../operations/define/argument.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../operations/define/operation.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import type { FieldProblem } from '../../operations/define/raw-input.ts';
import { formatField, formatReadingValue, formatService } from './format-service.ts';
import { createFieldChoices, readingChoices } from './reading-choices.ts';
import { readFirstVps, sampleService, toReadingCall } from './sample-service.ts';
import type { ServiceProfileStore } from './service-profile-store.ts';

interface ServiceOperationDependencies {
  readonly store: ServiceProfileStore;
  /** The readings in HOSTING_PROFILE, if that is set. */
  readonly fileCorrections?: readonly Correction[] | undefined;
  readonly now: () => number;
}

/** Maximum age (ms) of a payload with which a correction is checked. */
const maxPayloadAgeMs = 60_000;
/** How many fields a message lists. */
const maxListedFields = 12;

/** Declares `service`, `service set`, `service reset` and `service learn`. */
export function createServiceOperations({
  store,
  fileCorrections,
  now,
}: ServiceOperationDependencies): readonly Operation[] {
  const show = async (teamId: string): Promise<Outcome> =>
    formatService({
      payloads: await store.listPayloads(teamId),
      corrections: await store.listCorrections(teamId),
      fileCorrections,
    });

  function assertChangeable(): void {
    if (!fileCorrections) return;
    throw new RackhandError(
      'input_invalid',
      'HOSTING_PROFILE names a file that says where readings are. Change that file instead.',
    );
  }

  async function findProblems(teamId: string, id: string, field: string): Promise<readonly FieldProblem[]> {
    const reading = findReading(id);
    const payload = reading && (await store.findPayload(teamId, reading.endpoint));
    if (!reading || payload?.fields.some((offered) => offered.field === field)) return [];
    const fields = payload?.fields ?? [];
    const shown = fields.slice(0, maxListedFields).map((offered) => offered.field);
    const more = fields.length - shown.length;
    const message =
      fields.length === 0
        ? `No payload with ${reading.label} was read yet. Run service learn first`
        : `The payload has no field "${field}". It has ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return [{ path: 'field', message }];
  }

  return [
    defineLocal({
      name: 'service',
      heading: 'Service profile',
      summary: "Show which fields of the service's replies Rackhand reads",
      arguments: {},
      button: 'Show',
      right: 'admin',
      run: ({ actor }) => show(actor.teamId),
    }),

    defineLocal({
      name: 'service set',
      heading: 'Correct a reading',
      summary: 'Choose the field that a reading is taken from',
      arguments: {
        reading: remoteArgument({ source: readingChoices, label: 'Reading', example: 'live.cpu' }),
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
      target: ({ reading }) => reading,
      validate: ({ actor }, { reading, field }) => findProblems(actor.teamId, reading, field),
      async run(context, { reading: id, field, unit }) {
        assertChangeable();
        const { teamId, userId } = context.actor;
        const reading = findReading(id);
        if (!reading) throw new RackhandError('input_invalid', `There's no reading named "${id}".`);
        const before = (await store.listCorrections(teamId)).find((one) => one.reading === id);
        const correction = { reading: id, field, ...(unit !== '' && { unit }) };
        await store.saveCorrection(teamId, {
          ...correction,
          setBy: userId,
          setMs: now(),
          missingSinceMs: null,
        });
        const undo = () =>
          before ? store.saveCorrection(teamId, before) : store.removeCorrections(teamId, id);
        const result = await readCorrected(context, reading).catch(async (error: unknown) => {
          await undo();
          throw error;
        });
        const after = (await store.listCorrections(teamId)).find((one) => one.reading === id);
        if (result.value === undefined && after?.missingSinceMs === null) {
          await undo();
          throw new RackhandError('input_invalid', describeUnreadable(reading, field, unit));
        }
        return {
          title: `${reading.label} now comes from ${formatField(correction)}`,
          facts: [{ label: result.about, value: formatReadingValue(reading, result.value) }],
          next: [
            { label: 'Show Service Profile', operation: 'service', input: {} },
            { label: 'Remove Correction', operation: 'service reset', input: { reading: id } },
          ],
        };
      },
    }),

    defineLocal({
      name: 'service reset',
      heading: 'Remove corrections',
      summary: 'Remove the correction of a reading, or all corrections',
      arguments: {
        reading: textArgument(
          {
            label: 'Reading',
            example: 'live.cpu',
            hint: 'If empty, all corrections are removed.',
            initial: '',
          },
          z.string().trim().max(60),
        ),
      },
      button: 'Remove',
      right: 'admin',
      target: ({ reading }) => reading || 'all readings',
      async run({ actor }, { reading }) {
        assertChangeable();
        const count = await store.removeCorrections(actor.teamId, reading === '' ? undefined : reading);
        const what = count === 1 ? 'One correction was removed' : `${count} corrections were removed`;
        const title = count === 0 ? 'There was no correction to remove' : what;
        return { title, next: [{ label: 'Show Service Profile', operation: 'service', input: {} }] };
      },
    }),

    defineLocal({
      name: 'service learn',
      heading: 'Learn the payloads',
      summary: 'Read one payload of each kind, and find the readings in it',
      arguments: {},
      button: 'Learn',
      right: 'admin',
      async run({ actor, read }) {
        assertChangeable();
        const failed = await sampleService((name, vpsName) => {
          const { endpoint, input } = toReadingCall(name, vpsName);
          return read(endpoint, input, { lane: 'background' });
        });
        const outcome = await show(actor.teamId);
        const notes = failed.length === 0 ? [] : [`Some payloads could not be read: ${failed.join(', ')}.`];
        return { ...outcome, notes: [...notes, ...(outcome.notes ?? [])] };
      },
    }),
  ];
}

function unitArgument(): Argument<string> {
  return textArgument(
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
}

/** Reads the payload of a reading again, with the current corrections. */
async function readCorrected({ read }: OperationContext, reading: Reading) {
  const call: typeof read = (endpoint, input) => read(endpoint, input, { maxAgeMs: maxPayloadAgeMs });
  const vpsName = await readFirstVps((name) => {
    const { endpoint, input } = toReadingCall(name, '');
    return call(endpoint, input);
  });
  const { endpoint, input } = toReadingCall(reading.endpoint, vpsName);
  const value = readFact(reading, await call(endpoint, input), vpsName);
  const isAboutVps = endpoint.path.includes('{vps_name}');
  return { value, about: isAboutVps ? `Now, for ${vpsName}` : 'Now' };
}

function describeUnreadable({ label, unit: kind }: Reading, field: string, unit: string): string {
  const isUnitMissing = unit === '' && kind === 'bytes';
  const hint = isUnitMissing ? ` If it's an amount, add its unit, such as --unit mb.` : '';
  return `${label} can't be read from ${field}: its value doesn't fit. Nothing was changed.${hint}`;
}
