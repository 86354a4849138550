import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type FieldMapping, mappingUnits, parseAddress } from './field-mapping.ts';
import type { FoundMapping } from './found-mappings.ts';
import { findKnownValue, isSettable, knownValues } from './known-values.ts';

const settableIds = knownValues.filter(isSettable).map(({ id }) => id);

const fileSchema = z.strictObject({
  version: z.literal(1),
  /** The field of each value; `null` hides the value. */
  values: z.record(
    z.string(),
    z.strictObject({ field: z.string().min(1), unit: z.enum(mappingUnits).optional() }).nullable(),
  ),
});

/** The field for a value that is `null` in the file. */
const noField = '';

/** Reads the HOSTING_PROFILE file. Throws an error whose message completes a sentence about the file. */
export function readMappingFile(path: string): readonly FieldMapping[] {
  const { values } = parseFile(readText(path));
  const unknown = Object.keys(values).filter((id) => !settableIds.includes(id));
  if (unknown.length > 0)
    throw new Error(`has unknown values: ${unknown.join(', ')}. Known are ${settableIds.join(', ')}`);
  return Object.entries(values).map(([value, entry]) => {
    if (entry === null) return { value, field: noField };
    if (parseAddress(entry.field) === undefined && !value.startsWith('rrd.'))
      throw new Error(`has no valid field for ${value}: ${entry.field}`);
    return { value, ...entry };
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new Error(`can't be read${code}`);
  }
}

function parseFile(text: string): z.infer<typeof fileSchema> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error('is not JSON');
  }
  const parsed = fileSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(
    `is not a profile: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.replace(/\s+/g, ' '),
  );
}

/** Returns the text of a mapping file with the values that come from a single field and need no unit. */
export function formatMappingFile(mappings: readonly FoundMapping[]): string {
  const values = mappings.flatMap(({ value, fields, units }) => {
    const [field, ...others] = fields;
    const isOne = field !== undefined && others.length === 0 && !units && !findKnownValue(value)?.unit;
    return isOne && settableIds.includes(value) ? [[value, { field }]] : [];
  });
  return `${JSON.stringify({ version: 1, values: Object.fromEntries(values) }, null, 2)}\n`;
}
