import { eventually } from '../eventually.ts';
import type { RunningStack, SlackMessage } from '../stack.ts';

/** How often the progress of a change is polled. */
const pollMs = 5_000;

interface Where {
  readonly channel?: string | undefined;
  readonly user?: string | undefined;
}

/**
 * Waits until a change has begun, then advances the clock by one poll after the other until its
 * message says how it ended. The stack's clock must follow that of Slack.
 */
export async function waitForEnd(
  { slack }: Pick<RunningStack, 'slack'>,
  title: string,
  outcome = '✅ Done',
  { channel, user }: Where = {},
): Promise<SlackMessage> {
  const escapedTitle = title.replace(/[()]/g, '\\$&');
  const begun = new RegExp(`^${escapedTitle}: (🔄|✅|❌)`, 'u');
  await slack.message(begun, channel, user);
  return passPolls({ slack }, `${title}: ${outcome}`, { channel, user });
}

/** Advances the clock by one poll after the other until a message contains a text, and returns it. */
export function passPolls(
  { slack }: Pick<RunningStack, 'slack'>,
  text: string,
  { channel, user }: Where = {},
): Promise<SlackMessage> {
  return eventually(async () => {
    await slack.act('clock', { advance_ms: pollMs });
    return slack.newMessage(text, channel, user);
  });
}
