import { checkMessage } from '../block-kit/check.ts';
import { isObject, type JsonObject, parseJson, textAt } from '../json.ts';
import type { Mint } from '../mint.ts';
import { refuseIf, SlackError } from '../web-api/slack-error.ts';
import { withIds } from '../world/elements.ts';
import type { Workspace } from '../world/workspace.ts';
import { checkSlackFiles } from './slack-files.ts';

/** Where Slack cuts a message's text: docs.slack.dev/reference/methods/chat.postMessage. */
export const maxTextChars = 40_000;
/** docs.slack.dev/reference/methods/chat.postMessage, `markdown_text`. */
const maxMarkdownChars = 12_000;
/** docs.slack.dev/reference/methods/chat.postMessage, `too_many_attachments`. */
const maxAttachments = 100;

/** What an app wants a message to say, checked. What was not given is `undefined`. */
export interface Content {
  readonly text: string | undefined;
  readonly blocks: readonly JsonObject[] | undefined;
  readonly attachments: readonly JsonObject[] | undefined;
  readonly metadata: JsonObject | undefined;
}

/** Reads the content of a message from arguments, as JSON or as JSON text; throws what Slack answers to bad ones. */
export function readContent(given: JsonObject, workspace: Workspace, mint: Mint): Content {
  const markdown = textAt(given, 'markdown_text');
  const blocks = listIn(given.blocks, 'invalid_blocks_format');
  const attachments = listIn(given.attachments, 'invalid_attachments');
  const text = textAt(given, 'text');
  if (markdown && (text || blocks)) throw new SlackError('markdown_text_conflict');
  if (markdown && markdown.length > maxMarkdownChars) throw new SlackError('msg_too_long');
  if ((attachments?.length ?? 0) > maxAttachments) throw new SlackError('too_many_attachments');
  const shown = markdown ? [{ type: 'markdown', text: markdown }] : blocks;
  const problems = [
    ...checkMessage({ blocks: shown, attachments }),
    ...checkSlackFiles(workspace, shown, '/blocks'),
    ...checkSlackFiles(workspace, attachments, '/attachments'),
  ];
  refuseIf(problems, 'invalid_blocks');
  return {
    text: markdown ?? text,
    blocks: shown && withIds(shown, mint.label),
    attachments: attachments?.map((attachment) => withBlockIds(attachment, mint)),
    metadata: metadataIn(given.metadata),
  };
}

/** Throws `no_text` where a message would say nothing. */
export function refuseEmpty({ text, blocks, attachments }: Omit<Content, 'metadata'>): void {
  if (!text && !blocks?.length && !attachments?.length) throw new SlackError('no_text');
}

function listIn(value: unknown, error: string): JsonObject[] | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const list = typeof value === 'string' ? parseJson(value) : value;
  if (!Array.isArray(list) || !list.every(isObject)) throw new SlackError(error);
  return list;
}

function metadataIn(value: unknown): JsonObject | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const metadata = typeof value === 'string' ? parseJson(value) : value;
  if (!isObject(metadata)) throw new SlackError('invalid_metadata_format');
  const isEmpty = Object.keys(metadata).length === 0;
  const isWhole = typeof metadata.event_type === 'string' && isObject(metadata.event_payload);
  if (!isEmpty && !isWhole) throw new SlackError('invalid_metadata_format');
  return metadata;
}

function withBlockIds(attachment: JsonObject, mint: Mint): JsonObject {
  const { blocks } = attachment;
  return Array.isArray(blocks) ? { ...attachment, blocks: withIds(blocks, mint.label) } : attachment;
}
