import type { types } from '@slack/bolt';
import { limits } from './limits.ts';
import { truncateMrkdwn } from './text.ts';

type Block = types.KnownBlock;

/** Limits for a message's blocks, with room for small print added later. */
export const messageBudget = {
  chars: limits.messageChars - 1_000,
  blocks: limits.messageBlocks - 3,
} as const;

const truncatedNotice = 'Shortened: the full content is too long for one message.';

/**
 * Block types that can be shortened, in the order of shortening. Other types (buttons, tables, images) are
 * never shortened.
 */
const dispensableKinds: readonly Block['type'][] = ['rich_text', 'section', 'context'];

/**
 * Shortens blocks to fit into one Slack message, and adds a line that says so. Cuts facts first, starting at
 * the end, then text, then small print. Never cuts the heading.
 */
export function fitMessage(blocks: readonly Block[]): Block[] {
  const shortened = fitBlockCount(fitChars(blocks));
  if (shortened.length === blocks.length && shortened.every((block, index) => block === blocks[index])) {
    return shortened;
  }
  const notice: types.ContextBlock = {
    type: 'context',
    elements: [{ type: 'plain_text', text: truncatedNotice, emoji: false }],
  };
  const buttons = shortened.findIndex(({ type }) => type === 'actions');
  return shortened.toSpliced(buttons === -1 ? shortened.length : buttons, 0, notice);
}

function fitChars(blocks: readonly Block[]): Block[] {
  let surplus = countChars(blocks) - messageBudget.chars;
  const fitted: (Block | undefined)[] = [...blocks];
  for (const index of orderDispensable(blocks)) {
    if (surplus <= 0) break;
    const block = blocks[index];
    if (!block) continue;
    const chars = countChars(block);
    const shorter = truncateBlock(block, chars - surplus);
    fitted[index] = shorter;
    surplus -= chars - countChars(shorter);
  }
  return fitted.flatMap((block) => block ?? []);
}

function fitBlockCount(blocks: readonly Block[]): Block[] {
  const surplus = Math.max(0, blocks.length - messageBudget.blocks);
  const dropped = new Set(orderDispensable(blocks).slice(0, surplus));
  return blocks.filter((_, index) => !dropped.has(index));
}

/** Returns the indexes of blocks that can be shortened, in the order to shorten them. */
function orderDispensable(blocks: readonly Block[]): readonly number[] {
  return dispensableKinds.flatMap((kind) =>
    blocks.flatMap((block, index) => (index > 0 && block.type === kind ? [index] : [])).toReversed(),
  );
}

/** Shortens a block to `maxChars`. Returns undefined if nothing remains. */
function truncateBlock(block: Block, maxChars: number): Block | undefined {
  if (block.type === 'rich_text') return truncateLines(block, maxChars);
  if (block.type !== 'section' || !block.text || maxChars <= 1) return undefined;
  return { ...block, text: { ...block.text, text: truncateMrkdwn(block.text.text, maxChars) } };
}

/** Keeps only complete lines from the start of a single-section block. Returns undefined if none fit. */
function truncateLines(block: types.RichTextBlock, maxChars: number): types.RichTextBlock | undefined {
  const [section] = block.elements;
  if (section?.type !== 'rich_text_section' || block.elements.length > 1) return undefined;
  let end = 0;
  let chars = 0;
  for (const [index, element] of section.elements.entries()) {
    if (startsLine(element)) end = index;
    chars += countChars(element);
    if (chars > maxChars) break;
  }
  if (end === 0) return undefined;
  return { ...block, elements: [{ ...section, elements: section.elements.slice(0, end) }] };
}

function startsLine(element: types.RichTextElement): boolean {
  return element.type === 'text' && element.text.startsWith('\n');
}

const shownFields = new Set(['text', 'alt_text', 'fallback']);

/** Counts the characters that blocks display, at any depth. */
export function countChars(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [field, inner]) =>
      sum + (typeof inner === 'string' ? (shownFields.has(field) ? inner.length : 0) : countChars(inner)),
    0,
  );
}
