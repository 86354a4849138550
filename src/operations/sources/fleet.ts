import { listVps } from '../../hosting/endpoints/vps.ts';
import { vpsName } from '../../hosting/fields.ts';
import { readVpsList, type VpsReading } from '../../hosting/readings/vps.ts';
import { looksSecret } from '../../hosting/secrets.ts';
import { shownAnyway, tellingFirst } from '../vps/telling-fields.ts';
import type { Choice, Source } from './source.ts';

/** Stands between the parts of what tells a VPS apart, of which the best come first. */
export const hintSeparator = ' · ';

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
      const hint = wordsOf(record).join(hintSeparator);
      return [{ value, text: value, hint, ...(state !== undefined && { state }) }];
    });
    return { choices, isComplete: choices.length > 0 && !mayHaveMore };
  },
};

/** What tells a VPS apart beside its name and state, best first: the text of its fields that are no secrets. */
function wordsOf(record: VpsReading['record']): readonly string[] {
  const fields = Object.keys(record).filter((field) => !shownAnyway.includes(field) && !looksSecret(field));
  return tellingFirst(fields).flatMap((field) => {
    const value = record[field];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
}
