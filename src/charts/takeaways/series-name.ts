import { sanitizeText } from '../format/sanitize-text.ts';

const maxChars = 60;

/** Returns an untrusted label in a safe and short form. */
export function formatSeriesName(label: string): string {
  const chars = Array.from(sanitizeText(label));
  return chars.length > maxChars ? `${chars.slice(0, maxChars).join('')}…` : chars.join('') || 'Unnamed';
}
