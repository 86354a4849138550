import { randomUUID } from 'node:crypto';
import { z } from 'zod';

/** What a form carries with it in `private_metadata`: what is asked, where, and which rows it has. */
const formMetadata = z.object({
  operation: z.string(),
  /** Minted with the form and claimed by the input that is accepted, so that a corrected form can be sent again. */
  requestKey: z.string(),
  channel: z.string().optional(),
  threadTs: z.string().optional(),
  responseUrl: z.string().optional(),
  isPublic: z.boolean(),
  /** Ids of the rows of each argument that has rows, in their order. */
  rows: z.record(z.string(), z.array(z.string())),
});

export type FormMetadata = z.infer<typeof formMetadata>;

/** Reads the metadata of a form. */
export function readMetadata(text: string): FormMetadata {
  return formMetadata.parse(JSON.parse(text));
}

/** Mints what identifies a request, or a row. */
export function mintId(): string {
  return randomUUID();
}
