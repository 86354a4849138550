import type { Problem } from '../block-kit/validation/problem.ts';
import { validateMessage } from '../block-kit/validation/validate.ts';
import type { Core } from '../core.ts';
import { filterObjects, getString, isObject, type JsonObject, parseJson } from '../json.ts';
import { toStoredMarkup, toStoredMessageTexts } from '../mrkdwn/stored-text.ts';
import { assertNoProblems, SlackError } from '../web-api/slack-error.ts';
import { assignIds } from '../workspace/elements.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { validateImageUrls } from './validate-image-urls.ts';
import { validateSlackFiles } from './validate-slack-files.ts';

/** Slack truncates longer text (docs.slack.dev/reference/methods/chat.postMessage). */
export const maxTextChars = 40_000;
/** From docs.slack.dev/reference/methods/chat.postMessage, `markdown_text`. */
const maxMarkdownChars = 12_000;
/** From docs.slack.dev/reference/methods/chat.postMessage, `too_many_attachments`. */
const maxAttachments = 100;

/** The validated content of an app's message. Fields that were left out are undefined. */
export interface MessageContent {
  readonly text: string | undefined;
  readonly blocks: readonly JsonObject[] | undefined;
  readonly attachments: readonly JsonObject[] | undefined;
  readonly metadata: JsonObject | undefined;
}

/**
 * Parses a message's content from arguments, which can be JSON or text that contains JSON. Throws
 * Slack's error if they are invalid.
 */
export function parseMessageContent(
  given: JsonObject,
  workspace: Workspace,
  { ids, faults }: Pick<Core, 'ids' | 'faults'>,
): MessageContent {
  const markdown = getString(given, 'markdown_text');
  const blocks = parseObjectList(given.blocks, 'invalid_blocks_format');
  const attachments = parseObjectList(given.attachments, 'invalid_attachments');
  const text = getString(given, 'text');
  if (markdown && (text || blocks)) throw new SlackError('markdown_text_conflict');
  if (markdown && markdown.length > maxMarkdownChars) throw new SlackError('msg_too_long');
  if ((attachments?.length ?? 0) > maxAttachments) throw new SlackError('too_many_attachments');
  const shown = markdown ? [{ type: 'markdown', text: markdown }] : blocks;
  const problems = [
    ...validateMessage({ blocks: shown, attachments }),
    ...validateSlackFiles(workspace, shown, '/blocks'),
    ...validateSlackFiles(workspace, attachments, '/attachments'),
    ...validateImageUrls(workspace, shown, '/blocks'),
    ...validateImageUrls(workspace, attachments, '/attachments'),
  ];
  assertNoProblems(problems, 'invalid_blocks');
  assertNoProblems(findRefusedBlock(shown, workspace.team.id, faults), 'invalid_blocks');
  return {
    text: markdown ?? (text && toStoredMarkup(text)),
    blocks: shown && assignIds(toStoredMessageTexts(shown), ids.elementId),
    attachments: attachments?.map((attachment) => assignBlockIds(attachment, ids)),
    metadata: parseMetadata(given.metadata),
  };
}

/** Returns the block that an injected fault refuses, as in a workspace that doesn't have its type yet. */
function findRefusedBlock(
  blocks: readonly JsonObject[] = [],
  team: string,
  faults: Core['faults'],
): Problem[] {
  const types = blocks.map(({ type }) => type);
  const refused = faults.consume(team, 'refuse_block', (type) => types.includes(type));
  if (refused === undefined) return [];
  return [{ pointer: `/blocks/${types.indexOf(refused)}`, message: `unsupported type: ${refused}` }];
}

/** Throws `no_text` if a message has no content. */
export function assertNotEmpty({ text, blocks, attachments }: Omit<MessageContent, 'metadata'>): void {
  if (!text && !blocks?.length && !attachments?.length) throw new SlackError('no_text');
}

function parseObjectList(value: unknown, error: string): JsonObject[] | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const list = typeof value === 'string' ? parseJson(value) : value;
  if (!Array.isArray(list) || !list.every(isObject)) throw new SlackError(error);
  return list;
}

function parseMetadata(value: unknown): JsonObject | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const metadata = typeof value === 'string' ? parseJson(value) : value;
  if (!isObject(metadata)) throw new SlackError('invalid_metadata_format');
  const isEmpty = Object.keys(metadata).length === 0;
  const isWhole =
    (typeof metadata.event_type === 'string' && isObject(metadata.event_payload)) ||
    listEntities(metadata).length > 0;
  if (!isEmpty && !isWhole) throw new SlackError('invalid_metadata_format');
  return metadata;
}

/** Returns the work objects in a message's metadata. */
export function listEntities(metadata: unknown): JsonObject[] {
  const entities = filterObjects(isObject(metadata) ? metadata.entities : undefined);
  return entities.filter(
    ({ entity_type, external_ref, entity_payload }) =>
      typeof entity_type === 'string' && isObject(external_ref) && isObject(entity_payload),
  );
}

function assignBlockIds(attachment: JsonObject, ids: Core['ids']): JsonObject {
  const { blocks } = attachment;
  if (!Array.isArray(blocks)) return attachment;
  return { ...attachment, blocks: assignIds(toStoredMessageTexts(blocks), ids.elementId) };
}
