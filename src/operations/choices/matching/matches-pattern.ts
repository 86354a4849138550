/** Returns whether a pattern matches a name, or covers everything that another pattern matches. Case-sensitive. */
export function matchesPattern(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  if (!name.startsWith(first)) return false;
  const last = parts.pop();
  if (last === undefined) return name === pattern;
  let at = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
