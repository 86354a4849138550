const maxChars = 200;

/**
 * Makes untrusted text safe to draw: one line of limited length, without control characters (invalid in XML)
 * or characters that change the text direction.
 */
export function sanitizeText(text: string): string {
  const line = text
    .slice(0, 2 * maxChars)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  const chars = Array.from(line);
  return chars.length > maxChars ? `${chars.slice(0, maxChars).join('')}…` : line;
}
