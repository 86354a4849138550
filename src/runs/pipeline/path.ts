import type { RunReply } from '../run-reply.ts';
import type { RunServices } from './run-services.ts';

/** What a step returns: the context for the next step, or the end with the reply to the person. */
export type Next<Context> =
  | { readonly kind: 'next'; readonly context: Context }
  | { readonly kind: 'end'; readonly reply: RunReply };

export type Step<In, Out> = (context: In, services: RunServices) => Promise<Next<Out>>;

/** Steps in order. A path is a step itself, so paths can share their last steps. */
interface Path<In, Out> extends Step<In, Out> {
  step<Later>(step: Step<Out, Later>): Path<In, Later>;
}

/** Begins a path with its first step. */
export function path<In, Out>(first: Step<In, Out>): Path<In, Out> {
  const walk: Step<In, Out> = (context, services) => first(context, services);
  return Object.assign(walk, {
    step: <Later>(step: Step<Out, Later>) =>
      path<In, Later>(async (context, services) => {
        const result = await first(context, services);
        return result.kind === 'end' ? result : step(result.context, services);
      }),
  });
}

export function next<Context>(context: Context): Next<Context> {
  return { kind: 'next', context };
}

export function end(reply: RunReply): Next<never> {
  return { kind: 'end', reply };
}
