import { RackhandError } from '../../errors.ts';
import { allReadings, findReading } from '../../hosting/profile/readings/all-readings.ts';
import { isSettable, type Reading } from '../../hosting/profile/readings/reading.ts';
import type { ChoiceSource } from '../../operations/define/arguments/choice-source.ts';
import { findNearestName } from '../../operations/define/arguments/nearest-name.ts';
import type { ServiceProfileStore } from './service-profile-store.ts';

/** The readings whose field an admin can choose. */
export const readingChoices: ChoiceSource = {
  name: 'service-readings',
  noun: 'a reading',
  isOwnData: true,
  formatNotFound: (name) => `There's no reading named "${name}".`,
  load: async () => ({
    choices: allReadings.filter(isSettable).map(({ id, label }) => ({ value: id, text: label, hint: id })),
    isComplete: true,
  }),
};

/** Creates the choices for a reading's field: the fields of its payload. */
export function createFieldChoices(store: Pick<ServiceProfileStore, 'findPayload'>): ChoiceSource {
  return {
    name: 'service-fields',
    noun: 'a field',
    isOwnData: true,
    dependsOn: 'reading',
    formatNotFound: (name) => `There's no field named "${name}" in the payload.`,
    async load(_read, { reading: id }, _maxAgeMs, workspace) {
      const reading = typeof id === 'string' ? findReading(id) : undefined;
      const payload = reading && (await store.findPayload(workspace?.teamId ?? '', reading.endpoint));
      const choices = (payload?.fields ?? []).map(({ field, example }) => ({
        value: field,
        text: field,
        hint: example,
      }));
      // The list counts as incomplete, because the operation itself checks which fields exist.
      return { choices, isComplete: false };
    },
  };
}

/** Returns the reading with this ID. Throws an error that names the nearest one if there is none. */
export function requireReading(id: string): Reading {
  const reading = findReading(id);
  if (reading) return reading;
  const nearest = findNearestName(
    id,
    allReadings.map((one) => one.id),
  );
  const hint = nearest === undefined ? 'Run /vps service to see all readings.' : `Did you mean ${nearest}?`;
  throw new RackhandError('input_invalid', `There's no reading named "${id}". ${hint}`);
}
