import { z } from 'zod';

/** The arguments for a message's content. `parseMessageContent` validates them. */
export const contentArguments = {
  text: z.string().nullish(),
  markdown_text: z.string().nullish(),
  blocks: z.unknown().optional(),
  attachments: z.unknown().optional(),
  metadata: z.unknown().optional(),
};
