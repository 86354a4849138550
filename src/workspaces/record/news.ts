import type { Catalogue } from '../../operations/catalogue.ts';
import { needOf } from '../../operations/runs/access.ts';
import type { RunStatus } from '../../storage/schema.ts';
import { type NameOf, namesIn } from './names.ts';
import { type RecordedRun, waitsOf } from './recorded-run.ts';

/** One line of what a channel that follows along is told. All text is plain; whoever shows it escapes it. */
export interface News {
  readonly status: RunStatus;
  /** What was done, with its target. */
  readonly what: string;
  /** What those are called who did it, and who approved or declined it: names, so that nobody is called by it. */
  readonly who: string;
  readonly tookMs: number | null;
  /** How it ended, in a sentence, where the state does not say it all. */
  readonly said?: string;
}

/** Refusals that only correct whoever asked. */
const ownMatters: ReadonlySet<string | null> = new Set(['cancelled', 'input_invalid']);

/**
 * Tells whether a run is worth telling others: a change that came into the queue, or for which a second person was asked, what was refused for want of a right, and what was done to Rackhand itself. What
 * only looked is not, nor what its asker thought better of.
 */
export function isNews(run: RecordedRun, catalogue: Catalogue): boolean {
  if (run.queuedMs === null && run.wantedApproval) return true;
  if (run.status === 'refused') return run.queuedMs !== null || !ownMatters.has(run.errorCode);
  const operation = catalogue.find(run.operation);
  // What is no operation is what came onto the record by itself: an installation.
  if (!operation) return true;
  if (operation.kind === 'change') return run.queuedMs !== null;
  const need = needOf(operation, run.input);
  return operation.kind === 'own' && need !== undefined && need.right !== 'look';
}

/** Writes a line of it. */
export async function newsOf(run: RecordedRun, catalogue: Catalogue, nameOf: NameOf): Promise<News> {
  const { operation, target, status, said } = run;
  const isPlain = status === 'done' && catalogue.find(operation)?.kind === 'change';
  return {
    status,
    what: [operation, target].filter(Boolean).join(' '),
    who: await namesIn(run, nameOf),
    tookMs: run.queuedMs === null ? null : waitsOf(run).tookMs,
    ...(said !== null && !isPlain && { said }),
  };
}
