import type { Fact } from '../operations/define/outcome.ts';
import type { Run } from './run.ts';

/** Returns the reason that was typed with `--reason`, or undefined. */
export function findStatedReason({ input: { reason } }: Pick<Run, 'input'>): string | undefined {
  return typeof reason === 'string' ? reason : undefined;
}

/** Returns the stated reason as a fact for cards and messages. */
export function reasonFacts(run: Pick<Run, 'input'>): readonly Fact[] {
  const reason = findStatedReason(run);
  return reason === undefined ? [] : [{ label: 'Reason', value: reason }];
}
