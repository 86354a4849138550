import { blocksText, type RunningStack } from '../../stack.ts';

/** Types a command and returns its reply: a modal, or a message that is no longer changing. */
export async function readReply(
  { slack }: Pick<RunningStack, 'slack'>,
  text: string,
  { user = 'U0ALICE', channel = 'C0OPS' } = {},
): Promise<string> {
  // Slack accepts one message a second for a channel.
  await slack.act('clock', { advance_ms: 1_000 });
  await slack.slash(text, { user, channel });
  return slack.untilSeen(async () => {
    const [modal] = await slack.openModals(user);
    if (modal && !blocksText(modal).includes('One moment')) {
      await slack.act('close', { user, view: modal.id });
      return blocksText(modal);
    }
    const messages = await slack.newMessages(channel, user);
    // A reply that takes long comes later, in direct messages.
    const answer = messages.find(({ text }) => !/⏳(?! This takes a while)|🔄/u.test(text));
    if (!answer) {
      const seen = messages.map((message) => message.text).join('\n');
      throw new Error(`${user} got no answer to ${text}. There are:\n${seen || '(no messages)'}`);
    }
    return answer.text;
  });
}
