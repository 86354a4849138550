import { listVps } from '../../hosting/endpoints/vps.ts';
import { vpsName } from '../../hosting/fields.ts';
import { readVpsList, type VpsReading } from '../../hosting/readings/vps.ts';
import { looksSecret } from '../../hosting/secrets.ts';
import type { Choice, Source } from './source.ts';

/** The VPS of the account. */
export const fleet: Source = {
  name: 'fleet',
  noun: 'a VPS',
  isAlwaysSuggested: true,
  unknown: (name) => `There is no VPS called ${name} in this account. A VPS name looks like VPS-10001.`,
  async load(read, _, maxAgeMs) {
    const { vps, mayHaveMore } = readVpsList(await read(listVps, {}, { maxAgeMs }));
    const choices = vps.flatMap(({ name, state, record }): readonly Choice[] => {
      const value = vpsName.safeParse(name).data;
      if (value === undefined) return [];
      return [{ value, text: value, hint: wordsOf(record), ...(state !== undefined && { state }) }];
    });
    return { choices, isComplete: choices.length > 0 && !mayHaveMore };
  },
};

/** What tells a VPS apart beside its name: the short text of its fields that are no secrets. */
function wordsOf(record: VpsReading['record']): string {
  return Object.entries(record)
    .flatMap(([field, value]) => (typeof value === 'string' && !looksSecret(field) ? [value] : []))
    .join(' ');
}
