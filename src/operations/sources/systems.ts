import { getReinstallOptions } from '../../hosting/endpoints/vps.ts';
import { vpsName } from '../../hosting/fields.ts';
import { type ReinstallOptionsReading, readReinstallOptions } from '../../hosting/readings/reinstall.ts';
import type { Read } from '../operation.ts';
import type { Source } from './source.ts';

type Given = Readonly<Record<string, unknown>>;

async function optionsOf(
  read: Read,
  given: Given,
  maxAgeMs: number,
): Promise<ReinstallOptionsReading | undefined> {
  const name = vpsName.safeParse(given.vps).data;
  if (name === undefined) return undefined;
  return readReinstallOptions(await read(getReinstallOptions, { params: { vps_name: name } }, { maxAgeMs }));
}

/** The operating systems that the chosen VPS can be reinstalled with. */
export const systems: Source = {
  name: 'systems',
  noun: 'an operating system',
  dependsOn: 'vps',
  unknown: (name, { vps }) => `${vps} cannot be reinstalled with ${name}.`,
  async load(read, given, maxAgeMs) {
    const found = (await optionsOf(read, given, maxAgeMs))?.systems ?? [];
    const choices = found.map(({ os, label }) => ({
      value: os,
      text: label ?? os,
      ...(label !== undefined && { hint: os }),
    }));
    return { choices, isComplete: choices.length > 0 };
  },
};

/** The ways in which a reinstall hands over the new password, as far as the service tells them. */
export const reinstallDeliveries: Source = {
  name: 'reinstall-deliveries',
  noun: 'a way of delivery',
  dependsOn: 'vps',
  unknown: (name, { vps }) => `The result of a reinstall of ${vps} cannot be delivered by ${name}.`,
  async load(read, given, maxAgeMs) {
    const told = (await optionsOf(read, given, maxAgeMs))?.deliveries ?? [];
    const words = told.length > 0 ? told : ['api', 'email'];
    return { choices: words.map((value) => ({ value, text: value })), isComplete: told.length > 0 };
  },
};
