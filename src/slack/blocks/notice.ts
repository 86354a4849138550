import { mrkdwn } from './elements/blocks.ts';
import { escapeText } from './elements/text.ts';
import type { Message } from './message.ts';

/** Renders plain text as a message. */
export function renderNotice(notice: string): Message {
  const text = escapeText(notice);
  return { text, blocks: [mrkdwn(text)] };
}
