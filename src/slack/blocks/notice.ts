import { actionIds } from './elements/action-ids.ts';
import { buttonRow, mrkdwn } from './elements/blocks.ts';
import { button } from './elements/buttons.ts';
import { escapeText } from './elements/text.ts';
import type { Message } from './message.ts';

export function renderNotice(notice: string): Message {
  const text = escapeText(notice);
  return { text, blocks: [mrkdwn(text)] };
}

/** Renders the notice that a run is waiting for the quota, with a button to cancel it. */
export function renderQueueNotice(notice: string, runId: string): Message {
  const { text, blocks } = renderNotice(notice);
  return { text, blocks: [...blocks, ...buttonRow([button(actionIds.cancel, 'Cancel', runId)])] };
}
