import { isObject, type JsonObject, objectsIn, textAt } from '../json.ts';

/** A Block Kit element that people can use, and the block that holds it. */
export interface PlacedElement {
  readonly blockId: string;
  readonly actionId: string;
  readonly type: string;
  readonly element: JsonObject;
  readonly block: JsonObject;
}

/** Lists the elements of blocks that have an `action_id`, in reading order. */
export function elementsOf(blocks: unknown): PlacedElement[] {
  return objectsIn(blocks).flatMap((block) =>
    heldBy(block).flatMap((element) => {
      const blockId = textAt(block, 'block_id');
      const actionId = textAt(element, 'action_id');
      const type = textAt(element, 'type');
      if (blockId === undefined || actionId === undefined || type === undefined) return [];
      return [{ blockId, actionId, type, element, block }];
    }),
  );
}

/** Lists the blocks of a message, those of its attachments included. */
export function blocksOf(message: { blocks?: unknown; attachments?: unknown }): JsonObject[] {
  const attached = objectsIn(message.attachments).flatMap((attachment) => objectsIn(attachment.blocks));
  return [...objectsIn(message.blocks), ...attached];
}

function heldBy(block: JsonObject): JsonObject[] {
  return [block.accessory, block.element].filter(isObject).concat(objectsIn(block.elements));
}

/** Types that Slack gives an `action_id` of its own where the app gave none. */
const interactive: ReadonlySet<unknown> = new Set([
  ...['button', 'icon_button', 'feedback_buttons', 'overflow', 'checkboxes', 'radio_buttons'],
  ...['datepicker', 'timepicker', 'datetimepicker', 'file_input', 'rich_text_input', 'plain_text_input'],
  ...['number_input', 'email_text_input', 'url_text_input', 'workflow_button'],
  ...['static', 'external', 'users', 'conversations', 'channels'].flatMap((source) => [
    `${source}_select`,
    `multi_${source}_select`,
  ]),
]);

/** Gives blocks and elements that came without `block_id` or `action_id` one each, as Slack does. */
export function withIds(blocks: readonly JsonObject[], label: () => string): JsonObject[] {
  const named = (element: unknown): unknown =>
    isObject(element) && interactive.has(element.type)
      ? { ...element, action_id: element.action_id ?? label() }
      : element;
  return blocks.map((block) => ({
    ...block,
    block_id: block.block_id ?? label(),
    ...('accessory' in block && { accessory: named(block.accessory) }),
    ...('element' in block && { element: named(block.element) }),
    ...(Array.isArray(block.elements) && { elements: block.elements.map(named) }),
  }));
}
