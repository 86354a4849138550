const mostChars = 200;

/**
 * Makes a foreign text fit to be drawn: one line, no control characters (they are not XML), nothing that turns the
 * direction of the text around it, of bounded length.
 */
export function drawable(text: string): string {
  const line = text
    .slice(0, 2 * mostChars)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  const chars = Array.from(line);
  return chars.length > mostChars ? `${chars.slice(0, mostChars).join('')}…` : line;
}
