import { z } from 'zod';
import { parseJson } from '../json.ts';

/** A boolean. Forms send it as text. */
export const flag = z.union([z.boolean(), z.stringbool()]);

/** An integer. Forms send it as text. */
export const integer = z.coerce.number().int();

/** An ID or other text that isn't empty. */
export const nonEmptyString = z.string().min(1);

/** A value that forms send as JSON text. */
export function jsonArgument<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (typeof value === 'string' ? (parseJson(value) ?? value) : value), schema);
}

/** The arguments of a paginated method. */
export const paging = { cursor: z.string().optional(), limit: integer.optional() };
