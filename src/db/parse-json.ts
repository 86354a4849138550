import type { z } from 'zod';

/** Parses stored JSON. Returns undefined if the text isn't valid JSON or doesn't match the schema. */
export function parseJson<Value>(schema: z.ZodType<Value>, text: string): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
