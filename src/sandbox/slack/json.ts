/** A JSON object whose fields nobody has checked yet. */
export type JsonObject = { readonly [field: string]: unknown };

/** Tells an object from lists, `null` and the rest of JSON. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Lists the objects among a list's items; anything but a list has none. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Reads a field that holds text; `undefined` where it holds anything else. */
export function textAt(object: JsonObject, field: string): string | undefined {
  const value = object[field];
  return typeof value === 'string' ? value : undefined;
}

/** Parses JSON text; `undefined` where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
