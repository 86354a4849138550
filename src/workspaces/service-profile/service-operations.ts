import { z } from 'zod';
import { RackhandError } from '../../errors.ts';
import { formatList } from '../../format-list.ts';
import type { FieldMapping } from '../../hosting/payloads/field-mapping.ts';
import { payloadNames } from '../../hosting/payloads/known-values.ts';
import { buttonSwitch, textArgument } from '../../operations/define/arguments/argument.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../operations/define/operation.ts';
import { formatFileMappings, formatService } from './format-service.ts';
import { type CallEndpoint, learnService, toPayloadCall } from './sample-service.ts';
import type { ServiceProfileStore } from './service-profile-store.ts';
import { createSetOperation } from './set-operation.ts';
import { requireValue } from './value-choices.ts';

interface ServiceOperationDependencies {
  readonly store: ServiceProfileStore;
  /** The mappings in the file that HOSTING_PROFILE names, if it is set. */
  readonly fileMappings?: readonly FieldMapping[] | undefined;
  readonly now: () => number;
}

/** Declares `service`, `service set` and `service reset`. */
export function createServiceOperations({
  store,
  fileMappings,
  now,
}: ServiceOperationDependencies): readonly Operation[] {
  const findRefusal = () =>
    fileMappings && 'HOSTING_PROFILE names a file with the field mappings. Change that file instead.';

  function assertChangeable(): void {
    const refusal = findRefusal();
    if (refusal !== undefined) throw new RackhandError('input_invalid', refusal);
  }

  /** Learns the fields of the service's payloads. Returns a note about any payloads that the service didn't return. */
  async function learn({ read, actor: { teamId } }: OperationContext): Promise<readonly string[]> {
    const call: CallEndpoint = (name, vpsName) => {
      const { endpoint, input } = toPayloadCall(name, vpsName);
      return read(endpoint, input, { lane: 'background' });
    };
    const failed = await learnService(store, { teamId, nowMs: now(), call });
    const names = failed.map((endpoint) => payloadNames[endpoint]);
    return names.length === 0 ? [] : [`The service didn't return ${formatList(names, 'and')}.`];
  }

  return [
    defineLocal({
      name: 'service',
      heading: 'Service profile',
      summary: "Show which fields of the service's responses Rackhand reads",
      arguments: { learn: buttonSwitch('Learn') },
      button: 'Show',
      right: 'admin',
      async run(context, input) {
        if (fileMappings) return formatFileMappings(fileMappings);
        const { teamId } = context.actor;
        const isNew = (await store.listPayloads(teamId)).length === 0;
        const notes = input.learn || isNew ? await learn(context) : [];
        const [payloads, mappings] = [await store.listPayloads(teamId), await store.listMappings(teamId)];
        const outcome = formatService({ payloads, mappings });
        return { ...outcome, notes: [...notes, ...(outcome.notes ?? [])] };
      },
    }),

    createSetOperation({ store, findRefusal, now }),

    defineLocal({
      name: 'service reset',
      heading: 'Remove field mappings',
      summary: 'Remove the field mapping of a value, or all of them',
      arguments: {
        value: textArgument(
          {
            label: 'Value',
            example: 'live.cpu',
            hint: 'Leave empty to remove all field mappings.',
            initial: '',
          },
          z.string().trim().max(60, { error: 'Use at most 60 characters' }),
        ),
      },
      button: 'Remove',
      right: 'admin',
      target: ({ value }) => value || 'all values',
      async run({ actor }, { value: id }) {
        assertChangeable();
        const known = id === '' ? undefined : requireValue(id);
        const count = await store.removeMappings(actor.teamId, known?.id);
        const what = count === 1 ? 'One field mapping was removed' : `${count} field mappings were removed`;
        const nothing = known ? `${known.label} has no field mapping` : 'There are no field mappings';
        const title = count === 0 ? nothing : what;
        return { title, next: [{ label: 'Show Service Profile', operation: 'service', input: {} }] };
      },
    }),
  ];
}
