import { z } from 'zod';
import type { AppManifest } from '../manifest.ts';
import type { MessageDraft } from '../workspace/messages/message.ts';

/** The arguments with which an app chooses a name and an avatar for one message. */
export const authorArguments = {
  username: z.string().nullish(),
  icon_emoji: z.string().nullish(),
  icon_url: z.string().nullish(),
};

export type CustomAuthor = Partial<z.output<z.ZodObject<typeof authorArguments>>>;

/**
 * Returns the fields of a message with a name and avatar of its own. Without `chat:write.customize`,
 * Slack ignores them. An emoji wins over an image.
 */
export function toAuthorFields(
  { scopes }: AppManifest,
  { username, icon_emoji, icon_url }: CustomAuthor = {},
): Pick<Partial<MessageDraft>, 'subtype' | 'username' | 'icons'> {
  if (!scopes.has('chat:write.customize') || !(username || icon_emoji || icon_url)) return {};
  const emoji = icon_emoji?.replace(/^:?(.*?):?$/, ':$1:');
  const icons = emoji ? { emoji } : icon_url && { image_48: icon_url };
  return { subtype: 'bot_message', ...(username && { username }), ...(icons && { icons }) };
}
