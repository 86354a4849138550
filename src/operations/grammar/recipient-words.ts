import type { Argument } from '../define/arguments/argument.ts';

/** Matches people and user groups, as typed (`@lead`) or as IDs in Slack's encoding. */
const recipient = /^(@\S+|[USW][A-Z0-9]{2,})$/;

/**
 * Inserts a recipient's flag before the person or user group that follows another flag's value:
 * `--escalate 15m @lead` becomes `--escalate 15m --escalate-to @lead`.
 */
export function flagRecipients(
  words: readonly string[],
  fields: readonly Pick<Argument, 'flag' | 'recipientFlag'>[],
): readonly string[] {
  return words.flatMap((word, index) => {
    const [beforeValue, beforeWord] = [words[index - 2], words[index - 1]];
    const field = fields.find(
      ({ flag, recipientFlag }) =>
        recipientFlag !== undefined && (beforeValue === `--${flag}` || beforeWord?.startsWith(`--${flag}=`)),
    );
    return field && recipient.test(word) ? [`--${field.recipientFlag}`, word] : [word];
  });
}
