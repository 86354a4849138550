import type { OperationContext } from '../../operations/define/operation.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import type { Read } from '../../operations/define/read.ts';

/** An answer that is at least this old states its age. */
const statedAgeMs = 1_000;

interface RecentReads {
  readonly context: OperationContext;
  /** Adds a note on the age of the oldest shared response, if one was shared. */
  readonly withAge: (outcome: Outcome) => Outcome;
}

/**
 * Lets an operation that only reads use the service's responses to others, if they are at most
 * `maxAgeMs` old. Only the payload is shared. A person's rights decide which parts they see.
 */
export function shareRecentReads(context: OperationContext, maxAgeMs: number): RecentReads {
  let oldestMs = 0;
  const read: Read = (endpoint, input, options) =>
    context.read(
      endpoint,
      input,
      // An operation that accepts older responses, such as for names, doesn't show them as
      // current.
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
