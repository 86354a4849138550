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

/** Ends that only correct whoever asked: they thought better of it, or mistyped something. Nothing was changed then. */
const ownMatters: ReadonlySet<string | null> = new Set(['cancelled', 'input_invalid', 'not_found']);

/**
 * Tells whether a run is worth telling others: a change that came into the queue, or for which a second person was asked, what was refused for want of a right, and what was done to Rackhand itself. What
 * only looked is not, nor what concerns its asker alone.
 */
export function isNews(run: RecordedRun, catalogue: Catalogue): boolean {
  const { status, errorCode, queuedMs, wantedApproval } = run;
  if (queuedMs === null && wantedApproval) return true;
  const isCorrection = (status === 'refused' || status === 'failed') && ownMatters.has(errorCode);
  if (isCorrection && !wantedApproval) return false;
  if (status === 'refused') return true;
  const operation = catalogue.find(run.operation);
  // What is no operation is what came onto the record by itself: an installation.
  if (!operation) return true;
  if (operation.kind === 'change') return queuedMs !== null;
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
