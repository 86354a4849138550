import type { types } from '@slack/bolt';
import { limits } from './limits.ts';
import { clipMarkup } from './text.ts';

type Block = types.KnownBlock;

/** What a message may show: what is added to it afterwards, such as a line of small print, has room beside it. */
export const messageBudget = {
  chars: limits.messageChars - 1_000,
  blocks: limits.messageBlocks - 3,
} as const;

const notAll = 'This is not all: it was more than one message can show.';

/** Kinds of blocks, the most dispensable first; what is not among them, such as buttons, a table or a picture, is never touched. */
const dispensable: readonly Block['type'][] = ['rich_text', 'section', 'context'];

/**
 * Makes a message of blocks that Slack takes. What is too much goes from its end: first lines of facts, then words, then small print; and a
 * line says so. The heading, which comes first, stays.
 */
export function fitMessage(blocks: readonly Block[]): Block[] {
  const shortened = withinBlocks(withinChars(blocks));
  if (shortened.length === blocks.length && shortened.every((block, index) => block === blocks[index])) {
    return shortened;
  }
  const note: types.ContextBlock = {
    type: 'context',
    elements: [{ type: 'plain_text', text: notAll, emoji: false }],
  };
  const buttons = shortened.findIndex(({ type }) => type === 'actions');
  return shortened.toSpliced(buttons === -1 ? shortened.length : buttons, 0, note);
}

function withinChars(blocks: readonly Block[]): Block[] {
  let surplus = charsOf(blocks) - messageBudget.chars;
  const left: (Block | undefined)[] = [...blocks];
  for (const index of leastFirst(blocks)) {
    if (surplus <= 0) break;
    const block = blocks[index];
    if (!block) continue;
    const chars = charsOf(block);
    const shorter = shorten(block, chars - surplus);
    left[index] = shorter;
    surplus -= chars - charsOf(shorter);
  }
  return left.flatMap((block) => block ?? []);
}

function withinBlocks(blocks: readonly Block[]): Block[] {
  const surplus = Math.max(0, blocks.length - messageBudget.blocks);
  const dropped = new Set(leastFirst(blocks).slice(0, surplus));
  return blocks.filter((_, index) => !dropped.has(index));
}

/** Gives the places of the blocks that can be done without, in the order in which they go. */
function leastFirst(blocks: readonly Block[]): readonly number[] {
  return dispensable.flatMap((kind) =>
    blocks.flatMap((block, index) => (index > 0 && block.type === kind ? [index] : [])).toReversed(),
  );
}

/** Leaves of a block what `most` characters can hold; nothing where that is none of it. */
function shorten(block: Block, most: number): Block | undefined {
  if (block.type === 'rich_text') return shortenLines(block, most);
  if (block.type !== 'section' || !block.text || most <= 1) return undefined;
  return { ...block, text: { ...block.text, text: clipMarkup(block.text.text, most) } };
}

/** Leaves the first whole lines of a block that is one section. */
function shortenLines(block: types.RichTextBlock, most: number): types.RichTextBlock | undefined {
  const [section] = block.elements;
  if (section?.type !== 'rich_text_section' || block.elements.length > 1) return undefined;
  let end = 0;
  let chars = 0;
  for (const [index, element] of section.elements.entries()) {
    if (beginsLine(element)) end = index;
    chars += charsOf(element);
    if (chars > most) break;
  }
  if (end === 0) return undefined;
  return { ...block, elements: [{ ...section, elements: section.elements.slice(0, end) }] };
}

function beginsLine(element: types.RichTextElement): boolean {
  return element.type === 'text' && element.text.startsWith('\n');
}

const shownFields = new Set(['text', 'alt_text', 'fallback']);

/** Counts the characters that blocks show, at any depth. */
export function charsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [field, inner]) =>
      sum + (typeof inner === 'string' ? (shownFields.has(field) ? inner.length : 0) : charsOf(inner)),
    0,
  );
}
