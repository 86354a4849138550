import { RackhandError } from '../../errors.ts';
import {
  findKnownValue,
  isSettable,
  type KnownValue,
  knownValues,
} from '../../hosting/payloads/known-values.ts';
import { findNearestName } from '../../nearest-name.ts';
import type { ChoiceSource } from '../../operations/define/arguments/choice-source.ts';
import type { ServiceProfileStore } from './service-profile-store.ts';

/** Offers the values whose field an admin can choose. */
export const valueChoices: ChoiceSource = {
  name: 'service-values',
  noun: 'a value',
  isOwnData: true,
  formatNotFound: (name) => `There's no value named "${name}".`,
  load: async () => ({
    choices: knownValues.filter(isSettable).map(({ id, label }) => ({ value: id, text: label, hint: id })),
    isComplete: true,
  }),
};

/** Creates the choices for the field of a value: all fields in the value's payload. */
export function createFieldChoices(store: Pick<ServiceProfileStore, 'findPayload'>): ChoiceSource {
  return {
    name: 'service-fields',
    noun: 'a field',
    isOwnData: true,
    dependsOn: 'value',
    formatNotFound: (name) => `There's no field named "${name}" in the payload.`,
    async load(_read, { value: id }, _maxAgeMs, workspace) {
      const known = typeof id === 'string' ? findKnownValue(id) : undefined;
      const payload = known && (await store.findPayload(workspace?.teamId ?? '', known.endpoint));
      const choices = (payload?.fields ?? []).map(({ field, example }) => ({
        value: field,
        text: field,
        hint: example,
      }));
      // The list counts as incomplete, because the operation itself checks whether a field exists.
      return { choices, isComplete: false };
    },
  };
}

/** Returns the value with this ID. Throws an error that suggests the nearest ID if there is no such value. */
export function requireValue(id: string): KnownValue {
  const known = findKnownValue(id);
  if (known) return known;
  const ids = knownValues.map((one) => one.id);
  const nearest = findNearestName(id, ids);
  const hint = nearest === undefined ? 'Run /vps service to see all values.' : `Did you mean ${nearest}?`;
  throw new RackhandError('input_invalid', `There's no value named "${id}". ${hint}`);
}
