import type { RunReply } from '../run-reply.ts';
import type { RunServices } from './run-services.ts';

/** The result of a step: the context for the next step, or the end with the reply to the person. */
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

/** Steps in order. A path is a step itself. */
interface Path<In, Out> extends Step<In, Out> {
  step<Later>(step: Step<Out, Later>): Path<In, Later>;
}

/** Begins a path with its first step. */
export function path<In, Out>(first: Step<In, Out>): Path<In, Out> {
  const walk: Step<In, Out> = (context, services) => first(context, services);
  const step = <Later>(later: Step<Out, Later>) =>
    path<In, Later>(async (context, services) => {
      const result = await walk(context, services);
      return result.kind === 'end' ? result : later(result.context, services);
    });
  return Object.assign(walk, { step });
}
