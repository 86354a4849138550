import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { allReadings } from '../readings/all-readings.ts';
import { type Correction, correctionUnits } from '../readings/correction.ts';
import { parseAddress } from '../readings/field-address.ts';
import { isSettable } from '../readings/reading.ts';
import type { FoundReading } from './infer.ts';

const settableIds = allReadings.filter(isSettable).map(({ id }) => id);

const entrySchema = z.strictObject({
  field: z.string().min(1),
  unit: z.enum(correctionUnits).optional(),
});

const fileSchema = z.strictObject({
  version: z.literal(1),
  /** The field of each reading. A reading of `null` is not shown. */
  readings: z.record(z.string(), entrySchema.nullable()),
});

/** The field of a reading that is `null` in a profile file. */
export const noField = '';

/**
 * Reads the file of HOSTING_PROFILE. Throws an error whose message is the end of a sentence about
 * the file.
 */
export function readProfileFile(path: string): readonly Correction[] {
  const { readings } = parseProfile(readText(path));
  const unknown = Object.keys(readings).filter((id) => !settableIds.includes(id));
  if (unknown.length > 0) {
    throw new Error(`has unknown readings: ${unknown.join(', ')}. Known are ${settableIds.join(', ')}`);
  }
  return Object.entries(readings).map(([reading, entry]) => {
    if (entry === null) return { reading, field: noField };
    const isSeries = reading.startsWith('rrd.');
    if (!isSeries && parseAddress(entry.field) === undefined) {
      throw new Error(`has no valid field for ${reading}: ${entry.field}`);
    }
    return { reading, ...entry };
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

function parseProfile(text: string): z.infer<typeof fileSchema> {
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

/** Returns the text of a profile file with the readings that come from one field each. */
export function formatProfileFile(findings: readonly FoundReading[]): string {
  const readings = findings.flatMap(({ reading, fields: [field], isCalculated }) =>
    field === undefined || isCalculated || !settableIds.includes(reading) ? [] : [[reading, { field }]],
  );
  return `${JSON.stringify({ version: 1, readings: Object.fromEntries(readings) }, null, 2)}\n`;
}
