import type { RunReply } from '../run-reply.ts';
import type { RunServices } from './run-services.ts';

/** What a step returns: the context for the next step, or the end with the reply to the person. */
export type Next<Context> =
  | { readonly kind: 'next'; readonly context: Context }
  | { readonly kind: 'end'; readonly reply: RunReply };

export type Step<In, Out> = (context: In, services: RunServices) => Promise<Next<Out>>;

export function next<Context>(context: Context): Next<Context> {
  return { kind: 'next', context };
}

export function end(reply: RunReply): Next<never> {
  return { kind: 'end', reply };
}
