import { z } from 'zod';
import { parseJson } from '../json.ts';

/** A truth value, which forms send as text. */
export const flag = z.union([z.boolean(), z.stringbool()]);

/** A whole number, which forms send as text. */
export const count = z.coerce.number().int();

/** An id or other text that may not be empty. */
export const reference = z.string().min(1);

/** Something that forms send as JSON text. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (typeof value === 'string' ? (parseJson(value) ?? value) : value), schema);
}

/** Arguments of a method that lists page by page. */
export const paging = { cursor: z.string().optional(), limit: count.optional() };
