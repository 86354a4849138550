import type { Logger } from 'pino';
import { type ParsedInput, parseInput, type ValidInput } from '../../operations/define/arguments/input.ts';
import type { Catalogue, ChangeOperation } from '../../operations/define/operation.ts';
import type { Run } from '../run.ts';

/** Maximum number of unreadable runs listed. The log has all of them. */
const maxListed = 20;

/** A stored run that this version of Rackhand can't read, and that was ended without being executed. */
export interface UnreadableRun {
  readonly runId: string;
  readonly operation: string;
  readonly reason: string;
}

/** The unreadable runs that this process has found since it started, newest last. */
export interface UnreadableRuns {
  add(run: Run, reason: string): void;
  list(): readonly UnreadableRun[];
}

export function createUnreadableRuns(log: Pick<Logger, 'error'>): UnreadableRuns {
  const found: UnreadableRun[] = [];
  return {
    add({ id: runId, operation }, reason) {
      log.error({ runId, operation, reason }, 'a stored run could not be read and was ended');
      found.push({ runId, operation, reason });
      if (found.length > maxListed) found.shift();
    },
    list: () => [...found],
  };
}

type StoredChange =
  | { readonly kind: 'readable'; readonly operation: ChangeOperation; readonly parsed: ValidInput }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Finds the operation of a stored run and parses its input. The run must be a change. */
export function readStoredChange(run: Run, catalogue: Catalogue): StoredChange {
  if (run.unreadableColumns.length > 0)
    return { kind: 'unreadable', reason: `unreadable: ${run.unreadableColumns.join(', ')}` };
  const operation = catalogue.find(run.operation);
  if (operation?.kind !== 'change') return { kind: 'unreadable', reason: 'unknown operation' };
  const parsed = parseInput(operation, run.input);
  return parsed.kind === 'valid'
    ? { kind: 'readable', operation, parsed }
    : { kind: 'unreadable', reason: formatReason(parsed) };
}

/** Names the invalid fields, but not their values, which can be secret. */
function formatReason({ problems }: Extract<ParsedInput, { kind: 'invalid' }>): string {
  return `invalid input: ${problems.map(({ path }) => path).join(', ')}`;
}
