import { vpsName } from '../../hosting/fields.ts';

/** Tells whether a text is the one that must be typed to confirm; of the name of a VPS the prefix is free of case. */
export function isTyped(wanted: string, text: string): boolean {
  return canonical(text) === canonical(wanted);
}

function canonical(text: string): string {
  const trimmed = text.trim();
  return vpsName.safeParse(trimmed).data ?? trimmed;
}
