/** Lists of records with more values than this keep the process busy for seconds. */
const maxValues = 50_000;
/** A record that is a map by VPS name can have many fields. Readers compare the fields of a record with each other. */
const maxFieldsOfRecord = 5_000;
/** Functions that read payloads call themselves for each level. */
const maxLevels = 100;
/** A new password comes with a few words about it. */
const maxValuesWithCredentials = 1_000;

/**
 * Returns whether a JSON text has more values or levels than Rackhand reads. Counts separators without parsing, because
 * parsing a record with very many fields takes long by itself.
 */
export function hasTooManyValues(
  json: string,
  { hasCredentials }: { readonly hasCredentials: boolean },
): boolean {
  const max = hasCredentials ? maxValuesWithCredentials : maxValues;
  /** The fields so far in each open record. Those of a list stay 0. */
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

/** Returns the fields so far in the innermost record, if a character begins the value of one. */
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
