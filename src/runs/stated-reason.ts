import type { Fact } from '../operations/define/outcome.ts';
import type { Run } from './run.ts';

/** Returns the reason that was typed with `--reason`, or undefined. */
export function findStatedReason({ input: { reason } }: Pick<Run, 'input'>): string | undefined {
  return typeof reason === 'string' ? reason : undefined;
}

/** Returns what was stated with the request, as facts for cards and messages: the pace of a batch, the reason. */
export function statedFacts(run: Pick<Run, 'input'>): readonly Fact[] {
  const reason = findStatedReason(run);
  const { atATime } = run.input;
  return [
    ...(typeof atATime === 'string' ? [{ label: 'At a time', value: atATime }] : []),
    ...(reason === undefined ? [] : [{ label: 'Reason', value: reason }]),
  ];
}
