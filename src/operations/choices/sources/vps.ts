import { z } from 'zod';
import { vpsName } from '../../../hosting/endpoints/fields.ts';
import { listVps } from '../../../hosting/endpoints/vps.ts';
import { readVpsList, type Vps } from '../../../hosting/payloads/vps.ts';
import { isVpsName, normalizeVpsName } from '../../../hosting/payloads/vps-name.ts';
import { redactResult } from '../../../hosting/secret-redaction.ts';
import type { Argument, ArgumentTexts } from '../../define/arguments/argument.ts';
import type { Choice, ChoiceSource } from '../../define/arguments/choice-source.ts';
import {
  alwaysShownFields,
  identifyingFields,
  sortIdentifyingFirst,
} from '../../format/identifying-fields.ts';
import { createVpsLabels } from '../../format/vps-label.ts';
import { toCanonicalAddress } from '../matching/vps-reference.ts';

/** Separates the details of a VPS in a hint. The most helpful detail comes first. */
export const hintSeparator = ' · ';

export const vpsChoices: ChoiceSource = {
  name: 'fleet',
  noun: 'a VPS',
  listsVps: true,
  listStep: () => ({ label: 'List VPS', operation: 'list', input: {} }),
  formatNotFound: (name) =>
    isVpsName(name)
      ? `${name} isn't in the service's list of VPS.`
      : `Rackhand found no VPS called "${name}".`,
  async load(read, _, maxAgeMs, workspace) {
    const { vps, hasMore } = readVpsList(await read(listVps, {}, { maxAgeMs }));
    const choices = toVpsChoices(vps, (await workspace?.listVpsAliases()) ?? new Map());
    return { choices, isComplete: choices.length > 0 && !hasMore };
  },
};

/**
 * Returns a choice for each VPS, with every name by which people can find it. `ownAliases` are the team's
 * aliases, by VPS name.
 */
export function toVpsChoices(
  vps: readonly Vps[],
  ownAliases: ReadonlyMap<string, string>,
): readonly Choice[] {
  const labels = createVpsLabels(vps, ownAliases);
  return vps.flatMap(({ name, state, aliases, record }): readonly Choice[] => {
    const value = vpsName.safeParse(name).data;
    if (value === undefined) return [];
    const ownAlias = ownAliases.get(name);
    return [
      {
        value,
        text: labels.get(name) ?? value,
        aliases: aliases.full,
        shortAliases: aliases.short,
        addresses: listAddresses(record),
        details: listTexts(record, identifyingFields).join(hintSeparator),
        // Computed only when needed: looking for secrets takes time, and most VPS in a long list aren't
        // shown.
        get hint() {
          return identifyingValues(record).join(hintSeparator);
        },
        ...(ownAlias !== undefined && { ownAlias }),
        ...(state !== undefined && { state }),
      },
    ];
  });
}

/** Fields with addresses that VPS share or that aren't the VPS's own. */
const otherAddressFields = /gateway|dns|nameserver|resolver|mask|network|subnet|broadcast|node|host_?ip/i;

/** Maximum search depth. Addresses can be in lists, and one level down in nested records. */
const maxAddressDepth = 3;

function listAddresses(value: unknown, depth = maxAddressDepth): readonly string[] {
  if (typeof value === 'string') return [toCanonicalAddress(value) ?? []].flat();
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]) =>
    otherAddressFields.test(field) ? [] : listAddresses(inner, depth - 1),
  );
}

/** Returns the values that identify a VPS besides its name and state, most helpful first. Leaves out secrets. */
function identifyingValues(record: Vps['record']): readonly string[] {
  const { redacted } = redactResult(record);
  const fields = Object.keys(redacted).filter((field) => !alwaysShownFields.includes(field));
  return listTexts(redacted, sortIdentifyingFirst(fields));
}

function listTexts(record: Vps['record'], fields: readonly string[]): readonly string[] {
  return fields
    .map((field) => record[field])
    .filter((value): value is string => typeof value === 'string' && value !== '');
}

/** Maximum length of a name, the same as for a hostname (RFC 1035). */
const maxNameChars = 253;

const nameError = 'Choose a VPS';

/**
 * Accepts any name of a VPS, even inside a URL, and converts the prefix of a VPS name to upper case. Other
 * names stay as typed, and are resolved when the operation runs.
 */
export const vpsReferenceSchema = z
  .string({ error: nameError })
  .trim()
  .min(1, { error: nameError })
  .max(maxNameChars, { error: nameError })
  .overwrite(normalizeVpsName);

/** Creates an argument for a VPS. People can type any of its names; the run receives the VPS name. */
export function vpsArgument(texts: Partial<ArgumentTexts> = {}): Argument<string> {
  return {
    label: 'VPS',
    example: 'VPS-10001',
    ...texts,
    control: { kind: 'remote', source: vpsChoices },
    required: true,
    schema: vpsReferenceSchema,
  };
}
