import { z } from 'zod';
import { once } from '../once.ts';
import { limits } from './limits.ts';

/** A string of 1 to `max` characters. */
export function boundedString(max: number) {
  return z.string().min(1).max(max);
}

/** A `block_id`, `action_id`, `callback_id` or `external_id`. */
export const id = once(() => boundedString(limits.idChars));

/** The HTTP(S) URL of a page or image. */
export const httpUrl = once(() =>
  boundedString(limits.urlChars).regex(/^https?:\/\/\S+$/, 'must be a valid URL'),
);

/** A plain text object. Only this kind of text object can have `emoji`. */
export function plainText(max: number = limits.textChars) {
  return z.strictObject({
    type: z.literal('plain_text'),
    text: boundedString(max),
    emoji: z.boolean().optional(),
  });
}

/** A text object with markup. Only this kind of text object can have `verbatim`. */
export function mrkdwn(max: number = limits.textChars) {
  return z.strictObject({
    type: z.literal('mrkdwn'),
    text: boundedString(max),
    verbatim: z.boolean().optional(),
  });
}

/** A text object of either kind. */
export function textObject(max: number = limits.textChars) {
  return z.discriminatedUnion('type', [plainText(max), mrkdwn(max)]);
}
