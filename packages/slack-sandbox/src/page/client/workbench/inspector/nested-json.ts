import { isObject, parseJson } from '../../../../json.ts';

/** Reads the text at `path` in JSON. Returns `''` if there is none. */
export function readText(value: unknown, ...path: readonly string[]): string {
  const found = path.reduce((inner, field) => (isObject(inner) ? inner[field] : undefined), value);
  return typeof found === 'string' ? found : '';
}

/**
 * Parses text that contains a JSON object or list, such as `blocks` and `view` in forms. Other
 * values stay unchanged.
 */
export function parseNestedJson(value: unknown): unknown {
  const mayHold = typeof value === 'string' && /^\s*[[{]/.test(value);
  return mayHold ? (parseJson(value) ?? value) : value;
}
