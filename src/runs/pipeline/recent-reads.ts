import type { OperationContext } from '../../operations/define/operation.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import type { Read } from '../../operations/define/read.ts';

/** From this age on, an answer says how old it is. */
const statedAgeMs = 1_000;

interface RecentReads {
  readonly context: OperationContext;
  /** Adds a note on the age of the oldest shared response, if one was shared. */
  readonly withAge: (outcome: Outcome) => Outcome;
}

/**
 * Lets an operation that only reads use the service's responses to others, if they are at most
 * `maxAgeMs` old. Only the payload is shared: what a person sees of it depends on their rights.
 */
export function shareRecentReads(context: OperationContext, maxAgeMs: number): RecentReads {
  let oldestMs = 0;
  const read: Read = (endpoint, input, options) =>
    context.read(
      endpoint,
      input,
      // An operation that accepts older responses, such as for names, doesn't show them as present.
      options?.maxAgeMs !== undefined
        ? options
        : {
            ...options,
            maxAgeMs,
            onStored(ageMs) {
              oldestMs = Math.max(oldestMs, ageMs);
            },
          },
    );

  return {
    context: { ...context, read },
    withAge: (outcome) =>
      oldestMs < statedAgeMs
        ? outcome
        : { ...outcome, notes: [...(outcome.notes ?? []), `As of ${Math.round(oldestMs / 1_000)} s ago.`] },
  };
}
