import { vpsName } from '../../../hosting/endpoints/fields.ts';
import { getReinstallOptions } from '../../../hosting/endpoints/vps.ts';
import { type ReinstallOptions, readReinstallOptions } from '../../../hosting/payloads/reinstall-options.ts';
import type { RowSuggestions } from '../../define/arguments/argument.ts';
import { type ChoiceSource, maxChoicesAgeMs } from '../../define/arguments/choice-source.ts';
import type { Read } from '../../define/read.ts';

type InputValues = Readonly<Record<string, unknown>>;

async function loadReinstallOptions(
  read: Read,
  given: InputValues,
  maxAgeMs: number,
): Promise<ReinstallOptions | undefined> {
  const name = vpsName.safeParse(given.vps).data;
  if (name === undefined) return undefined;
  return readReinstallOptions(await read(getReinstallOptions, { params: { vps_name: name } }, { maxAgeMs }));
}

/** Offers the operating systems that can be installed on the chosen VPS. */
export const operatingSystemChoices: ChoiceSource = {
  name: 'systems',
  noun: 'an operating system',
  dependsOn: 'vps',
  formatNotFound: (name, { vps }) => `${name} isn't in the service's list of systems for ${vps}.`,
  async load(read, given, maxAgeMs) {
    const { operatingSystems: found = [] } = (await loadReinstallOptions(read, given, maxAgeMs)) ?? {};
    const choices = found.map(({ os, label }) => ({
      value: os,
      text: label ?? os,
      ...(label !== undefined && { hint: os }),
    }));
    return { choices, isComplete: choices.length > 0 };
  },
};

/**
 * Offers the ways in which a reinstall can deliver the new password: `api` or `email`, unless the service
 * lists others.
 */
export const passwordDeliveryChoices: ChoiceSource = {
  name: 'reinstall-deliveries',
  noun: 'a delivery method',
  dependsOn: 'vps',
  formatNotFound: (name, { vps }) => `${name} isn't in the service's list of delivery methods for ${vps}.`,
  async load(read, given, maxAgeMs) {
    const { deliveries = [] } = (await loadReinstallOptions(read, given, maxAgeMs)) ?? {};
    const words = deliveries.length > 0 ? deliveries : ['api', 'email'];
    return {
      choices: words.map((value) => ({ value, text: value })),
      isComplete: deliveries.length > 0,
    };
  },
};

/** Suggests a row for each body field that the service requires but Rackhand doesn't know. */
export const requiredFieldRows: RowSuggestions = {
  dependsOn: 'vps',
  async load(read, given) {
    const options = await loadReinstallOptions(read, given, maxChoicesAgeMs);
    return (options?.requiredFields ?? []).map((name) => ({ name }));
  },
};
