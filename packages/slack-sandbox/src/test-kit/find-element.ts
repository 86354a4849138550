import { isObject, type JsonObject } from '../json.ts';
import { unescapeEntities } from '../mrkdwn/parse-mrkdwn.ts';
import { listAllBlocks, listMessageBlocks, listOwnElements } from '../workspace/elements.ts';
import type { SlackObject } from './slack-types.ts';

/** The place of an element: its `action_id` and the `block_id` of its block. */
export interface ElementAddress {
  readonly action_id: string;
  readonly block_id?: string;
}

/**
 * Finds a button, menu or field of a message or view by its `action_id`, its text, its block's label,
 * or its `block_id`, also in attachments. Throws an error that lists the existing elements.
 */
export function findElement(target: SlackObject, name: string): ElementAddress {
  const elements = listAllBlocks(listMessageBlocks(target)).flatMap((block) => listElements(block));
  const found = elements.find(({ names }) => names.includes(name));
  if (found) return found.address;
  const known = elements.map(({ names }) => names.map((each) => JSON.stringify(each)).join(' or '));
  throw new Error(`There is no element "${name}". There are: ${known.join('; ') || 'none'}`);
}

function listElements(block: JsonObject) {
  return listOwnElements(block).flatMap((element) => {
    if (typeof element.action_id !== 'string') return [];
    const names = [element.action_id, readText(element.text), readText(block.label), block.block_id];
    const blockId = typeof block.block_id === 'string' ? { block_id: block.block_id } : {};
    return [
      {
        names: names.filter((name) => typeof name === 'string' && name !== ''),
        address: { action_id: element.action_id, ...blockId },
      },
    ];
  });
}

function readText(value: unknown): unknown {
  return isObject(value) && typeof value.text === 'string' ? unescapeEntities(value.text) : undefined;
}
