import { z } from 'zod';

/** Unparsed input from words, flags or form fields. */
export type RawInput = Readonly<Record<string, RawValue>>;

export type RawValue = string | boolean | readonly (string | RawRow)[];

export type RawRow = Readonly<Record<string, string | boolean>>;

/** A problem with one field. The path names the field: `vps`, `backends.0.target_port`. */
export interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

const rawRowSchema = z.record(z.string(), z.union([z.string(), z.boolean()]));
const rawValueSchema: z.ZodType<RawValue> = z.union([
  z.string(),
  z.boolean(),
  z.array(z.union([z.string(), rawRowSchema])),
]);

/** Validates input that a button or form sends back. */
export const rawInputSchema: z.ZodType<RawInput> = z.record(z.string(), rawValueSchema);
