import { z } from 'zod';
import { once } from '../../once.ts';
import { blocksSchema } from '../blocks.ts';
import { optionsResponse } from '../composition-objects.ts';
import { limits } from '../limits.ts';
import { viewSchema } from '../view.ts';
import { findBlocks } from './located-objects.ts';
import { validateMessageTotals } from './message-rules.ts';
import type { Problem } from './problem.ts';
import { validateUniqueIds } from './unique-ids.ts';
import { validateShape } from './validate-shape.ts';
import { validateResponseUrls, validateViewRules } from './view-rules.ts';

export type { Problem } from './problem.ts';

// The schemas of blocks are created when the first message or view is checked: they take 8 MiB and 50 ms.
const messageBlocks = once(() => blocksSchema('message', limits.message.blocks).nullish());

/** Only the blocks in an attachment are checked. Its legacy fields can have any value. */
const attachment = once(() => z.looseObject({ blocks: messageBlocks() }));

const message = once(() =>
  z.object({
    text: z.string().nullish(),
    blocks: messageBlocks(),
    attachments: z.array(attachment()).max(limits.message.attachments).nullish(),
  }),
);

/**
 * Returns everything in a message that Slack would reject. Locations start with `/text`, `/blocks`
 * or `/attachments`.
 */
export function validateMessage(given: {
  text?: unknown;
  blocks?: unknown;
  attachments?: unknown;
}): Problem[] {
  const blocks = [...findBlocks(given.blocks, '/blocks'), ...findAttachedBlocks(given.attachments)];
  return [
    ...validateText(given.text),
    ...validateShape(message(), given, ''),
    ...validateUniqueIds(blocks),
    ...validateResponseUrls(blocks, false),
    ...validateMessageTotals(blocks),
  ];
}

/**
 * Returns everything in a view that Slack would reject. Locations start with `/view`, which is the
 * name of the argument of `views.*`.
 */
export function validateView(given: unknown): Problem[] {
  const fields = z.record(z.string(), z.unknown()).safeParse(given).data ?? {};
  const blocks = findBlocks(fields.blocks, '/view/blocks');
  return [
    ...validateSize(given),
    ...validateShape(viewSchema(), given, '/view'),
    ...validateUniqueIds(blocks),
    ...validateResponseUrls(blocks, fields.type === 'modal'),
    ...validateViewRules(fields, blocks),
  ];
}

/** Returns everything that Slack would reject in an app's response to a `block_suggestion`. */
export function validateOptions(given: unknown): Problem[] {
  return validateShape(optionsResponse(), given, '');
}

function validateText(text: unknown): Problem[] {
  if (typeof text !== 'string' || text.length <= limits.message.textChars) return [];
  const message = `must be less than ${limits.message.textChars + 1} characters`;
  return [{ pointer: '/text', message, error: 'msg_too_long' }];
}

function validateSize(given: unknown): Problem[] {
  const bytes = Buffer.byteLength(JSON.stringify(given) ?? '');
  if (bytes <= limits.view.bytes) return [];
  return [
    {
      pointer: '/view',
      message: `must be less than ${limits.view.bytes + 1} bytes`,
      error: 'view_too_large',
    },
  ];
}

function findAttachedBlocks(attachments: unknown) {
  if (!Array.isArray(attachments)) return [];
  return attachments.flatMap((item: { blocks?: unknown } | null, index) =>
    findBlocks(item?.blocks, `/attachments/${index}/blocks`),
  );
}
