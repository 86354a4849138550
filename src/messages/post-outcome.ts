import { z } from 'zod';
import type { Database } from '../db/engines/database.ts';
import type { Outcome } from '../operations/define/outcome.ts';
import type { Destination } from './message.ts';
import type { Outbox } from './outbox.ts';

export const outcomeKind = 'outcome';

export const outcomeContent = z.object({
  outcome: z.custom<Outcome>((value) => z.looseObject({ title: z.string() }).safeParse(value).success),
  /** The person or user group to ping when the message is posted. */
  ping: z.string().optional(),
  /** Whether to post the message again if someone deletes it. */
  isNeeded: z.boolean().optional(),
  /** An uploaded image that the message shows. */
  picture: z.object({ fileId: z.string(), altText: z.string() }).optional(),
});

interface PostOptions {
  /** The message kind. Defaults to `outcome`. Outcomes of all kinds look the same. */
  readonly kind?: string | undefined;
  readonly ping?: string | undefined;
  /** Whether to post the message again if someone deletes it. */
  readonly isNeeded?: boolean | undefined;
  readonly picture?: z.infer<typeof outcomeContent>['picture'];
  /** The person to notify if the message can't be delivered. */
  readonly creator?: string | undefined;
  readonly transaction?: Database | undefined;
}

/** Shows an outcome in a channel or to a person, in one message per key. */
export type PostOutcome = (
  key: string,
  to: Destination,
  outcome: Outcome,
  options?: PostOptions,
) => Promise<void>;

export function createPostOutcome({ put }: Pick<Outbox, 'put'>): PostOutcome {
  return (key, to, outcome, { kind = outcomeKind, creator, transaction, ...more } = {}) =>
    put(key, to, { kind, content: { outcome, ...more }, about: outcome.title, creator }, transaction);
}
