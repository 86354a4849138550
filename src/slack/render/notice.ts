import { mrkdwn } from './blocks.ts';
import type { Message } from './message.ts';
import { escapeText } from './text.ts';

/** Shows one sentence. */
export function renderNotice(sentence: string): Message {
  const text = escapeText(sentence);
  return { text, blocks: [mrkdwn(text)] };
}
