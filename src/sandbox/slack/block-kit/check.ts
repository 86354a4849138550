import { z } from 'zod';
import { blocksOn } from './blocks.ts';
import { checkIds } from './identity-rules.ts';
import { limits } from './limits.ts';
import { checkTotals } from './message-rules.ts';
import { optionsAnswer } from './objects.ts';
import { blocksIn } from './places.ts';
import { checkShape, type Problem } from './problem.ts';
import { view as viewSchema } from './view.ts';
import { checkResponseUrls, checkViewRules } from './view-rules.ts';

export type { Problem } from './problem.ts';

const messageBlocks = blocksOn('message', limits.message.blocks).nullish();

/** Of an attachment only the blocks are checked: its older fields are free. */
const attachment = z.looseObject({ blocks: messageBlocks });

const message = z.object({
  text: z.string().nullish(),
  blocks: messageBlocks,
  attachments: z.array(attachment).max(limits.message.attachments).nullish(),
});

/** Finds everything in a message that Slack would refuse; pointers begin with `/text`, `/blocks` or `/attachments`. */
export function checkMessage(given: { text?: unknown; blocks?: unknown; attachments?: unknown }): Problem[] {
  const blocks = [...blocksIn(given.blocks, '/blocks'), ...attachedBlocks(given.attachments)];
  return [
    ...checkText(given.text),
    ...checkShape(message, given, ''),
    ...checkIds(blocks),
    ...checkResponseUrls(blocks, false),
    ...checkTotals(blocks),
  ];
}

/** Finds everything in a view that Slack would refuse; pointers begin with `/view`, as the argument of `views.*` is named. */
export function checkView(given: unknown): Problem[] {
  const fields = z.record(z.string(), z.unknown()).safeParse(given).data ?? {};
  const blocks = blocksIn(fields.blocks, '/view/blocks');
  return [
    ...checkBytes(given),
    ...checkShape(viewSchema, given, '/view'),
    ...checkIds(blocks),
    ...checkResponseUrls(blocks, fields.type === 'modal'),
    ...checkViewRules(fields, blocks),
  ];
}

/** Finds everything that Slack would refuse in an app's answer to a `block_suggestion`. */
export function checkOptions(given: unknown): Problem[] {
  return checkShape(optionsAnswer, given, '');
}

function checkText(text: unknown): Problem[] {
  if (typeof text !== 'string' || text.length <= limits.message.textChars) return [];
  const message = `must be less than ${limits.message.textChars + 1} characters`;
  return [{ pointer: '/text', message, error: 'msg_too_long' }];
}

function checkBytes(given: unknown): Problem[] {
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

function attachedBlocks(attachments: unknown) {
  if (!Array.isArray(attachments)) return [];
  return attachments.flatMap((item: { blocks?: unknown } | null, index) =>
    blocksIn(item?.blocks, `/attachments/${index}/blocks`),
  );
}
