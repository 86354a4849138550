import { filterObjects, isObject, type JsonObject } from '../json.ts';
import { listBlockText } from '../workspace/block-text.ts';
import { listMessageBlocks } from '../workspace/elements.ts';
import type { SlackMessage, SlackObject, SlackView } from './slack-types.ts';

export const toObject = (value: unknown): SlackObject => (isObject(value) ? value : {});

export function toMessage(message: JsonObject, channel: string): SlackMessage {
  const { ts, text, user, pings } = message;
  const known = { ts: String(ts), text: String(text), user: String(user), channel };
  return { ...message, ...known, pings: Array.isArray(pings) ? pings : [] };
}

export function toView(view: JsonObject): SlackView {
  const { id, type, callback_id, blocks } = view;
  return {
    ...view,
    id: String(id),
    type: type === 'home' ? 'home' : 'modal',
    callback_id: String(callback_id),
    blocks: filterObjects(blocks),
  };
}

export function toStrings(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(toObject(value)).map(([name, text]) => [name, String(text)]));
}

export function isMessage(target: SlackMessage | SlackView): target is SlackMessage {
  return 'ts' in target;
}

/** Returns the text of a message's blocks and attachments. */
export function readMessageText(message: SlackMessage): string {
  const attached = filterObjects(message.attachments).flatMap(listAttachmentText);
  return [...listBlockText(listMessageBlocks(message)), ...attached].join('\n');
}

/** Returns the lines that people read in an attachment's own fields, in the order in which Slack shows them. */
function listAttachmentText({ pretext, author_name, title, text, fields, footer }: JsonObject): string[] {
  const shown = filterObjects(fields).flatMap((field) => [field.title, field.value]);
  const lines = [pretext, author_name, title, text, ...shown, footer];
  return lines.flatMap((line) => (typeof line === 'string' && line !== '' ? [line] : []));
}

export const readTitle = ({ title }: SlackView) => (isObject(title) ? String(title.text) : '');
