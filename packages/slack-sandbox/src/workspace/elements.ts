import { filterObjects, getString, isObject, type JsonObject } from '../json.ts';

/** An interactive Block Kit element, and the block that contains it. */
export interface PlacedElement {
  readonly blockId: string;
  readonly actionId: string;
  readonly type: string;
  readonly element: JsonObject;
  readonly block: JsonObject;
}

/** Lists the elements that have an `action_id` in reading order. */
export function listElements(blocks: unknown): PlacedElement[] {
  return listAllBlocks(blocks).flatMap((block) =>
    listOwnElements(block).flatMap((element) => {
      const blockId = getString(block, 'block_id');
      const actionId = getString(element, 'action_id');
      const type = getString(element, 'type');
      if (blockId === undefined || actionId === undefined || type === undefined) return [];
      return [{ blockId, actionId, type, element, block }];
    }),
  );
}

/** Lists the blocks of a message, including those in its attachments. */
export function listMessageBlocks(message: { blocks?: unknown; attachments?: unknown }): JsonObject[] {
  const attached = filterObjects(message.attachments).flatMap((attachment) =>
    filterObjects(attachment.blocks),
  );
  return [...filterObjects(message.blocks), ...attached];
}

/** Lists blocks in reading order, each followed by those in it: the blocks of a container, the cards of a carousel. */
export function listAllBlocks(blocks: unknown): JsonObject[] {
  return filterObjects(blocks).flatMap((block) => [block, ...listAllBlocks(listInnerBlocks(block))]);
}

function listInnerBlocks({ type, child_blocks, elements }: JsonObject): unknown {
  if (type === 'container') return child_blocks;
  return type === 'carousel' ? elements : [];
}

/** Lists a block's elements, without those of the blocks in it. A card has its buttons in `actions`. */
export function listOwnElements({ type, accessory, element, elements, actions }: JsonObject): JsonObject[] {
  const list = type === 'carousel' ? [] : filterObjects(elements);
  return [...[accessory, element].filter(isObject), ...list, ...filterObjects(actions)];
}

/** Types of elements for which Slack generates an `action_id` if the app didn't send one. */
const interactiveTypes: ReadonlySet<unknown> = new Set([
  ...['button', 'icon_button', 'feedback_buttons', 'overflow', 'checkboxes', 'radio_buttons'],
  ...['datepicker', 'timepicker', 'datetimepicker', 'file_input', 'rich_text_input', 'plain_text_input'],
  ...['number_input', 'email_text_input', 'url_text_input', 'workflow_button'],
  ...['static', 'external', 'users', 'conversations', 'channels'].flatMap((source) => [
    `${source}_select`,
    `multi_${source}_select`,
  ]),
]);

/** Adds missing `block_id` and `action_id` values, like Slack does, also to the blocks in other blocks. */
export function assignIds(blocks: readonly JsonObject[], label: () => string): JsonObject[] {
  const named = (element: unknown): unknown =>
    isObject(element) && interactiveTypes.has(element.type)
      ? { ...element, action_id: element.action_id ?? label() }
      : element;
  return blocks.map((block) => {
    const { type, elements, actions, child_blocks: children } = block;
    return {
      ...block,
      block_id: block.block_id ?? label(),
      ...('accessory' in block && { accessory: named(block.accessory) }),
      ...('element' in block && { element: named(block.element) }),
      ...(Array.isArray(elements) && {
        elements: type === 'carousel' ? assignIds(filterObjects(elements), label) : elements.map(named),
      }),
      ...(Array.isArray(actions) && { actions: actions.map(named) }),
      ...(Array.isArray(children) && { child_blocks: assignIds(filterObjects(children), label) }),
    };
  });
}
