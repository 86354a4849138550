import { vpsName } from '../../../hosting/endpoints/fields.ts';

/**
 * Returns whether the typed text is one of the accepted texts. The prefix of a VPS name can be
 * typed in any case.
 */
export function matchesTypedConfirmation(accepted: readonly string[], text: string): boolean {
  return accepted.map(normalize).includes(normalize(text));
}

function normalize(text: string): string {
  const trimmed = text.trim();
  return vpsName.safeParse(trimmed).data ?? trimmed;
}
