import { type Span, spans } from '../../tracing/spans.ts';
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

/** Steps in order. A path is itself a step. Each step has its own span. */
interface Path<In, Out> extends Step<In, Out> {
  step<Later>(step: Step<Out, Later>): Path<In, Later>;
}

export function path<In, Out>(first: Step<In, Out>): Path<In, Out> {
  return createPath((context, services) =>
    spans.tracePromise(first, toStepSpan(first), undefined, context, services),
  );
}

function createPath<In, Out>(walk: Step<In, Out>): Path<In, Out> {
  const step = <Later>(later: Step<Out, Later>) =>
    createPath<In, Later>(async (context, services) => {
      const result = await walk(context, services);
      if (result.kind === 'end') return result;
      return spans.tracePromise(later, toStepSpan(later), undefined, result.context, services);
    });
  return Object.assign(walk, { step });
}

export function toStepSpan({ name }: { readonly name: string }): Span {
  return {
    name,
    describeResult: (result: Next<unknown>) =>
      result.kind === 'end' ? { 'rackhand.reply': result.reply.kind } : {},
  };
}
