import type { Input } from '../operations/define/arguments/input.ts';
import type { ChangeOperation } from '../operations/define/operation.ts';
import type { Fact } from '../operations/define/outcome.ts';
import { splitShellWords } from '../operations/grammar/parse-command.ts';
import { isSnapshotFirst } from './pipeline/confirmation/card-offers.ts';
import type { Run } from './run.ts';

export function findStatedReason({ input: { reason, act } }: Pick<Run, 'input'>): string | undefined {
  if (typeof reason === 'string') return reason;
  // A schedule states the reason in the command that it runs.
  const words = typeof act === 'string' ? (splitShellWords(act) ?? []) : [];
  const index = words.findIndex((word) => /^--reason(=|$)/.test(word));
  const [, stated = words[index + 1]] = /^--reason=(.*)$/s.exec(words[index] ?? '') ?? [];
  return index < 0 ? undefined : stated;
}

/** Returns facts about the request: a snapshot first, the pace of a batch, the reason, and the schedule. */
export function statedFacts(run: Pick<Run, 'input' | 'origin'>): readonly Fact[] {
  const reason = findStatedReason(run);
  const { atATime } = run.input;
  const { schedule } = run.origin;
  return [
    ...(isSnapshotFirst(run) ? [{ label: 'First', value: 'A snapshot is taken' }] : []),
    ...(typeof atATime === 'string' ? [{ label: 'At a time', value: atATime }] : []),
    ...(reason === undefined ? [] : [{ label: 'Reason', value: reason }]),
    ...(schedule === undefined ? [] : [{ label: 'Schedule', value: schedule }]),
  ];
}

export type IsReasonRequired = (teamId: string, operation: ChangeOperation, input: Input) => Promise<boolean>;
