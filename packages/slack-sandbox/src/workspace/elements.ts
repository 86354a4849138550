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
  return filterObjects(blocks).flatMap((block) =>
    elementsInBlock(block).flatMap((element) => {
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

function elementsInBlock(block: JsonObject): JsonObject[] {
  return [block.accessory, block.element].filter(isObject).concat(filterObjects(block.elements));
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

/** Adds missing `block_id` and `action_id` values, like Slack does. */
export function assignIds(blocks: readonly JsonObject[], label: () => string): JsonObject[] {
  const named = (element: unknown): unknown =>
    isObject(element) && interactiveTypes.has(element.type)
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
