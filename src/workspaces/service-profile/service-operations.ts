import { z } from 'zod';
import { RackhandError } from '../../errors.ts';
import { formatList } from '../../format-list.ts';
import { payloadNames } from '../../hosting/profile/readings/all-readings.ts';
import type { Correction } from '../../hosting/profile/readings/correction.ts';
import { textArgument } from '../../operations/define/arguments/argument.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation } from '../../operations/define/operation.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import { formatService } from './format-service.ts';
import { requireReading } from './reading-choices.ts';
import { sampleService, toReadingCall } from './sample-service.ts';
import type { ServiceProfileStore } from './service-profile-store.ts';
import { createSetOperation } from './set-operation.ts';

interface ServiceOperationDependencies {
  readonly store: ServiceProfileStore;
  /** The corrections from the file that HOSTING_PROFILE names, if it is set. */
  readonly fileCorrections?: readonly Correction[] | undefined;
  readonly now: () => number;
}

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

  const findRefusal = () =>
    fileCorrections && 'HOSTING_PROFILE names a file that says where readings are. Change that file instead.';

  function assertChangeable(): void {
    const refusal = findRefusal();
    if (refusal !== undefined) throw new RackhandError('input_invalid', refusal);
  }

  return [
    defineLocal({
      name: 'service',
      heading: 'Service profile',
      summary: "Show which fields of the service's responses Rackhand reads",
      arguments: {},
      button: 'Show',
      right: 'admin',
      run: ({ actor }) => show(actor.teamId),
    }),

    createSetOperation({ store, findRefusal, now }),

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
          z.string().trim().max(60, { error: 'Use at most 60 characters' }),
        ),
      },
      button: 'Remove',
      right: 'admin',
      target: ({ reading }) => reading || 'all readings',
      async run({ actor }, { reading: id }) {
        assertChangeable();
        const reading = id === '' ? undefined : requireReading(id);
        const count = await store.removeCorrections(actor.teamId, reading?.id);
        const what = count === 1 ? 'One correction was removed' : `${count} corrections were removed`;
        const nothing = reading ? `${reading.label} has no correction` : 'There are no corrections';
        const title = count === 0 ? nothing : what;
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
        const notes =
          failed.length === 0
            ? []
            : [
                `The service didn't return ${formatList(
                  failed.map((endpoint) => payloadNames[endpoint]),
                  'and',
                )}.`,
              ];
        return { ...outcome, notes: [...notes, ...(outcome.notes ?? [])] };
      },
    }),
  ];
}
