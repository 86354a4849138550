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
  /** Answered in the view itself. */
  isInView: z.boolean().default(false),
  /** Counts every change of the form: of two states of one form the higher is the newer. */
  edition: z.int().default(0),
  /** What others depend on and has been chosen: an options request does not carry the form's other values (bolt-js#1146). */
  parents: z.record(z.string(), z.string()).default({}),
  /** The argument by which its other fields are filled. */
  filledBy: z.string().optional(),
  /** What they were filled from, in short by their names: whoever sends the form late must not undo what others have changed. */
  kept: z.record(z.string(), z.string()).default({}),
  /** What was filled in of fields that have no meaning now: it comes back with them. */
  aside: z.record(z.string(), z.string()).default({}),
  /** Counts the choices of parents: a field whose value depends on one gets a new id with it, else it keeps its old value (bolt-js#290). */
  revision: z.int().default(0),
  /** Paths of the fields that are written, because the API key may not read what there is to choose from. */
  written: z.array(z.string()).default([]),
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
