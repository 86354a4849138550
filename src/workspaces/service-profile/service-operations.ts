import { z } from 'zod';
import { RackhandError } from '../../errors.ts';
import { formatList } from '../../format-list.ts';
import { payloadNames } from '../../hosting/profile/readings/all-readings.ts';
import type { Correction } from '../../hosting/profile/readings/correction.ts';
import { type Argument, switchArgument, textArgument } from '../../operations/define/arguments/argument.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation } from '../../operations/define/operation.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import type { Read } from '../../operations/define/read.ts';
import { formatService } from './format-service.ts';
import { requireReading } from './reading-choices.ts';
import { sampleService, toReadingCall } from './sample-service.ts';
import type { ServiceProfileStore } from './service-profile-store.ts';
import { createSetOperation } from './set-operation.ts';

const learnArgument: Argument<boolean> = {
  ...switchArgument({
    label: 'Learn',
    flag: 'learn',
    example: '--learn',
    hint: 'Reads one payload of each kind first. The button Learn Again sets it.',
  }),
  isSetByButtons: true,
};

interface ServiceOperationDependencies {
  readonly store: ServiceProfileStore;
  /** The corrections from the file that HOSTING_PROFILE names, if it is set. */
  readonly fileCorrections?: readonly Correction[] | undefined;
  readonly now: () => number;
}

/** Declares `service`, `service set` and `service reset`. */
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

  /** Reads one payload of each kind. Returns notes about those that the service didn't return. */
  async function learn(read: Read): Promise<readonly string[]> {
    assertChangeable();
    const failed = await sampleService((name, vpsName) => {
      const { endpoint, input } = toReadingCall(name, vpsName);
      return read(endpoint, input, { lane: 'background' });
    });
    const names = failed.map((endpoint) => payloadNames[endpoint]);
    return names.length === 0 ? [] : [`The service didn't return ${formatList(names, 'and')}.`];
  }

  return [
    defineLocal({
      name: 'service',
      heading: 'Service profile',
      summary: "Show which fields of the service's responses Rackhand reads",
      arguments: { learn: learnArgument },
      button: 'Show',
      right: 'admin',
      async run({ actor, read }, input) {
        const notes = input.learn ? await learn(read) : [];
        const outcome = await show(actor.teamId);
        return { ...outcome, notes: [...notes, ...(outcome.notes ?? [])] };
      },
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
  ];
}
