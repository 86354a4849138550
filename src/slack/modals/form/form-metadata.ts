import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { originSchema } from '../../invocation.ts';

/**
 * Schema of a form's `private_metadata`: the operation, the origin, and any state that the form's
 * values don't contain.
 */
const formMetadataSchema = originSchema.extend({
  operation: z.string(),
  /**
   * Created with the form. The key is claimed only when valid input is accepted, so a corrected form can be
   * submitted again.
   */
  requestKey: z.string(),
  isPublic: z.boolean(),
  /** Whether the modal itself shows the reply. */
  isInView: z.boolean().default(false),
  /**
   * Values that other fields depend on. Stored because an options request doesn't contain the form's other
   * values (bolt-js#1146).
   */
  parentValues: z.record(z.string(), z.string()).default({}),
  /** The argument whose value prefills the other fields. */
  prefillField: z.string().optional(),
  /** Whether the form always shows the stored values. */
  showsStoredValues: z.literal(true).optional(),
  /** Digests of the prefilled values, to detect changes that others save before the form is submitted. */
  snapshot: z.record(z.string(), z.string()).default({}),
  /** Values of hidden fields, restored when the fields are shown again. */
  hiddenValues: z.record(z.string(), z.string()).default({}),
  /**
   * How many times a parent field has changed. Dependent fields have this number in their block IDs, because Slack keeps a
   * field's value as long as its ID stays the same (bolt-js#290).
   */
  revision: z.int().default(0),
  /** IDs of the rows in order, by argument. */
  rows: z.record(z.string(), z.array(z.string())),
});

export type FormMetadata = z.infer<typeof formMetadataSchema>;

export function parseFormMetadata(text: string): FormMetadata {
  return formMetadataSchema.parse(JSON.parse(text));
}

export function createId(): string {
  return randomUUID();
}
