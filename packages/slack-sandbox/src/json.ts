/** A JSON object whose fields aren't checked. */
export type JsonObject = { readonly [field: string]: unknown };

/** Returns whether a value is an object. Lists, `null` and scalars aren't. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects in a list. Returns none if the value isn't a list. */
export function filterObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the string in a field, or undefined if it isn't a string. */
export function getString(object: JsonObject, field: string): string | undefined {
  const value = object[field];
  return typeof value === 'string' ? value : undefined;
}

/** Parses JSON. Returns undefined if the text isn't valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
