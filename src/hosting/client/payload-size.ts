/** Maximum number of values. A list of records with more would keep the process busy for seconds. */
const maxValues = 50_000;
/**
 * Maximum number of fields in a record. Limits the time spent comparing the fields with each other,
 * because a map by VPS name can have many.
 */
const maxFieldsOfRecord = 5_000;
/** Maximum nesting, because payload readers are recursive. */
const maxLevels = 100;
/** Maximum number of values in a response with credentials, which is small: a new password and a few words about it. */
const maxValuesWithCredentials = 1_000;

/**
 * Returns whether a JSON text has more values or levels than Rackhand reads. Counts separators instead of
 * parsing, because parsing alone takes long for a record with very many fields.
 */
export function hasTooManyValues(
  json: string,
  { hasCredentials }: { readonly hasCredentials: boolean },
): boolean {
  const max = hasCredentials ? maxValuesWithCredentials : maxValues;
  /** Number of fields so far in each open record; 0 for lists. */
  const open: number[] = [];
  let values = 0;
  for (let index = 0; index < json.length; index += 1) {
    const character = json.charAt(index);
    if (character === '"') index = findEndOfString(json, index);
    if (character === ',') values += 1;
    const fields = countFields(open, character);
    if (values >= max || fields > maxFieldsOfRecord || open.length > maxLevels) return true;
  }
  return false;
}

/** Returns the number of fields so far in the innermost record if the character begins a field's value, otherwise 0. */
function countFields(open: number[], character: string): number {
  if (character === '{' || character === '[') open.push(0);
  if (character === '}' || character === ']') open.pop();
  if (character !== ':') return 0;
  const fields = (open.pop() ?? 0) + 1;
  open.push(fields);
  return fields;
}

function findEndOfString(json: string, start: number): number {
  for (let index = start + 1; index < json.length; index += 1) {
    const character = json.charAt(index);
    if (character === '\\') index += 1;
    else if (character === '"') return index;
  }
  return json.length;
}
