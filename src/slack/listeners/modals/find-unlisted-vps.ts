import { getVps } from '../../../hosting/endpoints/vps.ts';
import { readVps } from '../../../hosting/payloads/vps.ts';
import { isVpsName, normalizeVpsName } from '../../../hosting/payloads/vps-name.ts';
import {
  type Choice,
  type ChoiceList,
  maxChoicesAgeMs,
} from '../../../operations/define/arguments/choice-source.ts';
import type { Read } from '../../../operations/define/read.ts';

/**
 * Reads a VPS by its typed name, if the list may be incomplete and doesn't contain the name. Returns undefined if the
 * VPS can't be read.
 */
export async function findUnlistedVps(
  typed: string,
  { choices, isComplete }: ChoiceList,
  read: Read,
): Promise<Choice | undefined> {
  const value = normalizeVpsName(typed);
  if (isComplete || !isVpsName(value) || choices.some((choice) => choice.value === value)) return undefined;
  try {
    const data = await read(getVps, { params: { vps_name: value } }, { maxAgeMs: maxChoicesAgeMs });
    const { state } = readVps(data, value);
    return { value, text: value, ...(state !== undefined && { state }) };
  } catch {
    // After an error, the select shows only the VPS in the list.
    return undefined;
  }
}
