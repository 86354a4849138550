import { isObject, parseJson } from '../../../json.ts';

/** Reads what lies along `path` in JSON as text; `''` where there is none. */
export function textIn(value: unknown, ...path: readonly string[]): string {
  const found = path.reduce((inner, field) => (isObject(inner) ? inner[field] : undefined), value);
  return typeof found === 'string' ? found : '';
}

/** Parses text that holds a JSON object or list, as forms carry `blocks` and `view`; anything else stays what it is. */
export function unpacked(value: unknown): unknown {
  const mayHold = typeof value === 'string' && /^\s*[[{]/.test(value);
  return mayHold ? (parseJson(value) ?? value) : value;
}
