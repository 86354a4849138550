import { z } from 'zod';
import { limits } from './limits.ts';

/** A string of 1 to `max` characters. */
export function chars(max: number) {
  return z.string().min(1).max(max);
}

/** A `block_id`, `action_id`, `callback_id` or `external_id`. */
export const id = chars(limits.idChars);

/** The address of a page or picture, over HTTP. */
export const httpUrl = chars(limits.urlChars).regex(/^https?:\/\/\S+$/, 'must be a valid URL');

/** A text object that may only be plain; `emoji` belongs to it alone. */
export function plainText(max: number = limits.textChars) {
  return z.strictObject({ type: z.literal('plain_text'), text: chars(max), emoji: z.boolean().optional() });
}

/** A text object with markup; `verbatim` belongs to it alone. */
export function mrkdwn(max: number = limits.textChars) {
  return z.strictObject({ type: z.literal('mrkdwn'), text: chars(max), verbatim: z.boolean().optional() });
}

/** A text object of either kind. */
export function textObject(max: number = limits.textChars) {
  return z.discriminatedUnion('type', [plainText(max), mrkdwn(max)]);
}
