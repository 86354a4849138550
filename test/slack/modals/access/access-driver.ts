import { expect } from 'vitest';
import { blocksText, type ModalView, type RunningStack } from '../../../stack.ts';

type DrivenStack = Pick<RunningStack, 'slack'>;

/** Waits until a person's topmost modal contains a text. */
export async function waitForView(
  { slack }: DrivenStack,
  words: string,
  user = 'U0ALICE',
): Promise<ModalView> {
  await expect
    .poll(async () => (await slack.openModals(user)).map(blocksText).at(-1)?.replaceAll('\u200b', ''))
    .toContain(words);
  return slack.modal(user);
}

/** Counts the messages with a text that a person sees in the channel. */
export async function countReplies({ slack }: DrivenStack, user: string, words: string): Promise<number> {
  const messages = await slack.messages('C0OPS', user);
  return messages.filter(({ text }) => text.includes(words)).length;
}
